//! What travels between server, browser and bots: ids, cards, events, snapshots and errors, as JSON.
//!
//! Nothing here knows of HTTP or of views; `api` and the event streams carry these shapes, and the contract for
//! programs (names, fields, units) is theirs.

mod around;
mod chat;
mod club;
mod error;
mod filter;
mod form;
mod ids;
pub mod json;
mod lobby;
mod open_table;
mod session;
mod settings;
mod table;

pub use around::{Around, TableNotice};
pub use chat::{Act, Audited, Chat, Desk, Judged, Report, Said, Talk, Venue};
pub use club::{
    Between, GameRecord, Outcome, Page, PastFilter, PastGame, PastGames, Placed, Profile,
    RatingPoint, Standings, Streak, Tally,
};
pub use error::{ApiError, Code};
pub use filter::Filter;
pub use form::{
    Account, Answered, Challenged, ClockText, Offered, Rematched, SetupText, Versioned,
};
pub use ids::{ChallengeId, MatchId, MessageId, PlayerId, ReportId, TableId};
pub use lobby::{
    Challenge, ChallengeClosed, Closing, DELETED, Ending, LobbyEvent, MatchCalled, MatchEnded,
    MatchSummary, PlayerCard, PlayerLeft, WaitingRoom,
};
pub use open_table::{Invitation, NoLink, OpenTable, Sitter, TableClosed, TableLink};
pub use session::SessionCard;
pub use settings::{Palette, Settings, Theme, Tongue};
pub use table::{Snapshot, Status};
pub use tochki_play::ClientId;
