//! Server functions: each calls one operation and returns a type of the protocol. Its signature says who may call it, and its
//! attribute [`endpoint`](macro@tochki_endpoint::endpoint) what else there is to know of it.
//!
//! HTML forms, the hydrated pages and programs all call these. The contract for programs is `docs/api.md`;
//! a client's error is an [`ErrorResponse`](crate::error::ErrorResponse) with a code, never a 5xx.

// The macro makes a public type of each function's arguments, which are documented with the function.
#![allow(missing_docs, unreachable_pub)]

mod accounts;
mod chat;
mod computer_games;
mod failures;
mod guests;
mod leagues;
mod lobby;
mod mail;
mod marked_names;
mod matches;
mod membership;
mod notifications;
mod open_tables;
mod operator;
mod passkeys;
mod puzzles;
mod recovery;
mod settings;
mod stats;
mod tokens;
mod tournaments;

pub use accounts::{Login, Logout, Register, Whoami, login, logout, register, whoami};
pub use chat::{Mute, ReadChatHistory, ReportMessage, Say, chat_history, mute, report, say};
pub use computer_games::{
    DeleteComputerGame, KeepComputerGame, ReadComputerGame, ReadComputerGames, computer_game,
    computer_games, delete_computer_game, keep_computer_game,
};
pub use failures::{ReportFailure, report_failure};
pub use guests::{CreateGuest, KeepAccount, SuggestName, create_guest, keep_account, suggest_name};
pub use leagues::{
    EndLeague, JoinLeague, LeaveLeague, OpenLeague, ReadLeague, ReadLeagues, end_league,
    join_league, league, leagues, leave_league, open_league,
};
pub use lobby::{
    AnswerChallenge, CancelChallenge, CancelQuickGame, IssueChallenge, ReadChallengeOutcomes,
    ReadChallenges, ReadWaitingCount, ReadWaitingRoom, StartQuickGame, answer_challenge,
    cancel_challenge, cancel_quick_game, challenge, challenge_outcomes, my_challenges, quick_game,
    waiting_count, waiting_room,
};
pub use mail::{
    ConfirmMail, ForgotPassword, ReadMail, RemoveMail, ResetByMail, SetMail, SetMailNotices,
    Unsubscribe, confirm_mail, forgot_password, mail_status, remove_mail, reset_by_mail, set_mail,
    set_mail_notices, unsubscribe,
};
pub use marked_names::{ReadMarkedNames, marked_names};
pub use matches::{
    Abort, AnswerAdjournment, AnswerOffer, Berserk, CancelOffer, CountMyGames, MakeMove, MakeOffer,
    NextGame, OfferAdjournment, ReadConditionalMoves, ReadFeaturedMatch, ReadMatch, ReadMyGames,
    ReadMyMatch, ReadNotes, ReadRefusedConditionalMoves, ReadTimeZone, ReadVacation, Rematch,
    Resign, ResumeMatch, SealMove, SetAutomaticVacation, SetConditionalMoves, SetNotes,
    SetTimeZone, SetVacation, WatchFeaturedMatch, abort, answer_adjournment, answer_offer, berserk,
    cancel_offer, conditional_moves, count_my_games, featured_match, make_move, match_snapshot,
    my_games, my_match, next_game, notes, offer, offer_adjournment, refused_conditional_moves,
    rematch, resign, resume_match, seal_move, set_automatic_vacation, set_conditional_moves,
    set_notes, set_time_zone, set_vacation, time_zone, vacation, watch_featured_match,
};
pub use membership::{
    ChangePassword, DeleteAccount, EndSession, ReadSessions, change_password, delete_account,
    end_session, sessions,
};
pub use notifications::{
    ChangeNotifications, ReadNotificationPage, ReadNotificationSwitches, ReadNotifications,
    ReadPushKey, ReadUnread, SubscribePush, UnsubscribePush, change_notifications,
    notification_settings, notifications, push_key, read_notifications, subscribe_push,
    unread_notifications, unsubscribe_push,
};
pub use open_tables::{
    CreateTable, ReadInvitation, ReadMyTable, ReadTable, RemovePlayer, SetReady, Sit, StandUp,
    invitation, my_table, open_table, ready, remove_player, sit, stand_up, table,
};
pub use operator::{
    NoticesRead, OperatorAnnul, OperatorAnnulAll, OperatorClose, OperatorDismiss, OperatorMute,
    OperatorRemoveMessage, ReadActivity, ReadModeration, ReadNotices, ReadRings,
    ReadSharedAddresses, activity, moderation_overview, notices, notices_read, operator_annul,
    operator_annul_all, operator_close, operator_dismiss, operator_mute, operator_remove_message,
    rings, shared_addresses,
};
pub use passkeys::{
    AddPasskey, BeginPasskey, BeginPasskeySignIn, PasskeySignIn, ReadPasskeys, RemovePasskey,
    ResetPassword, passkey_begin_registration, passkey_begin_sign_in, passkey_finish_registration,
    passkey_finish_sign_in, passkeys, remove_passkey, reset_password,
};
pub use puzzles::{
    HelpPuzzle, ReadDailyPuzzle, ReadPuzzle, ReadPuzzles, TryPuzzle, daily_puzzle, help_puzzle,
    puzzle, puzzles, try_puzzle,
};
pub use recovery::{
    MakeRecoveryCodes, ReadRecoveryStatus, Recover, make_recovery_codes, recover, recovery_status,
};
pub use settings::{ChangeSettings, RememberChoice, change_settings, remember_choice};
pub use stats::{
    ReadHistory, ReadProfile, ReadStandings, ReadTop, history, profile, standings, top,
};
pub use tokens::{
    BecomeBot, CreateToken, EndToken, ReadTokens, become_bot, create_token, end_token, tokens,
};
pub use tournaments::{
    CancelTournament, ChooseSide, CloseTournamentEntries, ConfirmPresence, CreateTournament,
    EndTournamentSeries, JoinTournament, LeaveTournament, ProposeTime, ReadNextTournament,
    ReadTournament, ReadTournamentBracket, ReadTournamentEntry, ReadTournamentGames,
    ReadTournamentPairings, ReadTournamentStandings, ReadTournaments, RemindOfTournament,
    RemoveFromTournament, RepeatTournament, RequestBye, cancel_tournament, choose_side,
    close_tournament_entries, confirm_presence, create_tournament, end_tournament_series,
    join_tournament, leave_tournament, next_tournament, propose_time, remind_of_tournament,
    remove_from_tournament, repeat_tournament, request_bye, tournament, tournament_bracket,
    tournament_entry, tournament_games, tournament_pairings, tournament_standings, tournaments,
};
