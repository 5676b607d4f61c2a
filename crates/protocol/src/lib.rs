//! The types that server, browser and bots exchange as JSON: ids, snapshots, events, errors.
//!
//! Nothing here knows of HTTP or of views; server functions and event streams send these types. The contract for programs
//! (names, fields, units) is in `docs/api.md`.

#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc)]

mod activity;
mod archive;
mod backoff;
mod chat;
mod computer_game;
mod entry_condition;
mod error;
pub mod event_names;
mod filter;
mod form;
mod house_bot;
mod ids;
pub mod json;
mod last_choices;
mod league;
pub mod limits;
mod lobby;
mod mail;
mod match_status;
mod notification;
mod own_games;
mod passkey;
mod personal;
mod player;
mod puzzle;
mod ring;
#[cfg(feature = "schema")]
mod schema;
mod session;
mod settings;
mod shared_address;
mod snapshot;
mod stats;
mod table;
mod time_zone;
mod token;
mod tournament;
mod tournament_appointment;
mod tournament_bracket;
mod tournament_round;
mod tournament_score;
mod tournament_series;
mod vacation;

pub use activity::{Activity, AnnulmentNotice, PlayerLocation, PresentPlayer, RunningMatch};
pub use archive::{ArchiveLine, ArchivedGame, BrokenGame};
pub use backoff::backoff;
pub use chat::{
    AuditEntry, ChatAudience, ChatHistory, ChatMessage, ChatPlace, ModeratedPlayer,
    ModerationAction, ModerationOverview, Report,
};
pub use computer_game::{ComputerGameEntry, ComputerGamePage, KeptComputerGame};
pub use entry_condition::EntryCondition;
pub use error::{ApiError, Code};
pub use filter::Filter;
pub use form::{
    Account, ChallengeAnswer, ChallengeCreated, ClockText, LinesText, OfferResponse, OwnMatch,
    RematchResponse, ResumeResponse, SetupText, VersionResponse,
};
pub use house_bot::{house_bot_name, house_bot_of};
pub use ids::{
    ChallengeId, ComputerGameId, LeagueId, MatchId, MessageId, NotificationId, PlayerId, PuzzleId,
    ReportId, TableId, TournamentId,
};
pub use last_choices::LastChoices;
pub use league::{League, LeagueDivision, LeagueOverview, LeagueTitle};
pub use lobby::{
    Challenge, ChallengeClosed, ChallengeOutcome, CloseReason, FinishedSummary, JustFinished,
    LobbyEvent, MatchFinished, MatchScore, MatchStarted, MatchSummary, PlayerLeft, QuickGame,
    QuickGameAnswer, RatingBounds, Scores, WaitingPlayer, WaitingRoom,
};
pub use mail::MailStatus;
pub use match_status::{MatchStatus, StatusEvent};
pub use notification::{
    Notification, NotificationChannel, NotificationKind, NotificationPage, NotificationSwitches,
    Notified, PushKey, TournamentNotice, Unread,
};
pub use own_games::{OwnGame, OwnGames, OwnGamesCount, RematchRequest};
pub use passkey::{CredentialJson, Passkey, Passkeys};
pub use personal::{PersonalEvent, PersonalSnapshot, TournamentPaired, YourMove};
pub use player::{DELETED, PlayerCard, shown_rating};
pub use puzzle::{
    PuzzleAnswer, PuzzleHelp, PuzzleOverview, PuzzleRating, PuzzleRatingChange, PuzzleRow,
    PuzzleState, PuzzleStep, PuzzleView,
};
pub use ring::{AnnulledGames, Ring, RingOpponent};
pub use session::{MarkedName, NameMark, RecoveryCodes, RecoveryStatus, SessionSummary};
pub use settings::{InvalidLanguageTag, LanguageChoice, LanguageTag, Palette, Settings, Theme};
pub use shared_address::SharedAddress;
pub use snapshot::{Snapshot, SnapshotClock, Status};
pub use stats::{
    GameStats, HeadToHead, HistoryEntry, HistoryFilter, HistoryPage, PaceRating, Page,
    PlayerOutcome, Profile, RatingPoint, ResultCounts, Standings, StandingsEntry, Streak,
    UntilRanked,
};
pub use table::{InvalidLink, Invitation, SeatedPlayer, Table, TableClosed, TableLink};
pub use time_zone::TimeZoneSetting;
pub use tochki_play::{ClientId, ConditionalMoves, InvalidLine, Pace};
pub use token::{NewToken, Scope, TokenEnd, TokenSummary};
pub use tournament::{
    EntrantState, EntryConditions, PlayersPaired, StandingsTop, Tournament, TournamentEntry,
    TournamentEvent, TournamentFormat, TournamentLink, TournamentPairing, TournamentPairings,
    TournamentPlayer, TournamentResult, TournamentRounds, TournamentStanding, TournamentStandings,
    TournamentState,
};
pub use tournament_appointment::{MissedGame, TournamentAppointment, TournamentMeeting};
pub use tournament_bracket::{
    BracketDuel, BracketGame, BracketPlayer, BracketRound, TournamentBracket,
};
pub use tournament_round::{
    ByeKind, RoundSoon, RoundState, TieBreakName, TournamentBye, TournamentRound,
};
pub use tournament_score::TournamentScore;
pub use tournament_series::TournamentSeries;
pub use vacation::VacationStatus;
