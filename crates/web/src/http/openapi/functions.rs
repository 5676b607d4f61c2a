//! The server functions: the types of their arguments and answers. A function that is missing here fails a test, a field that
//! is missing does not compile.

use super::schemas::{Argument, Schemas};
use leptos::server_fn::ServerFn;
use serde_json::Value;
use tochki_pages::api;

pub(super) struct Function {
    pub(super) path: &'static str,
    pub(super) arguments: Vec<Argument>,
    pub(super) answer: Value,
}

macro_rules! functions {
    ($($name:ident { $($field:ident),* })*) => {
        /// All of them.
        pub(super) fn functions(schemas: &mut Schemas) -> Vec<Function> {
            vec![$({
                let _has_no_other_field = |api::$name { $($field: _),* }: api::$name| ();
                Function {
                    path: <api::$name as ServerFn>::PATH,
                    arguments: vec![$(
                        schemas.argument(stringify!($field), |of: &api::$name| &of.$field)
                    ),*],
                    answer: schemas.answer::<<api::$name as ServerFn>::Output>(),
                }
            }),*]
        }
    };
}

functions! {
Register { name, password, next }
Login { name, password, next }
Logout {}
Whoami {}
Say { place, text }
ReadTalk { place }
Mute { player, muted }
ReportMessage { message, reason }
KeepComputerGame { key, game, setup, level, seat, moves, reason, started_at, finished_at }
ReadComputerGames { page }
ReadComputerGame { id }
DeleteComputerGame { id, next }
CreateGuest { name, table, link, next }
SuggestName {}
KeepAccount { name, password, next }
ReadWaitingRoom { game, min, max, name }
ReadWaitingCount {}
ReadEndings { game }
IssueChallenge { opponent, game, setup, clock, rated }
AnswerChallenge { id, accept }
CancelChallenge { id }
RememberChoice { choice }
ReportFailure { kind, page, message }
ReadMarkedNames {}
ChangePassword { password, new_password, next }
ReadSessions {}
EndSession { id, next }
DeleteAccount { password }
CreateTable { name, game, setup, clock, rated }
ReadTable { link }
ReadMyTable {}
ReadInvitation { link }
Sit { table, link }
StandUp { table, next }
SetReady { table, ready, agreement }
RemovePlayer { table, player }
ReadModeration { find, reports, page }
OperatorDismiss { report, why }
OperatorRemoveMessage { message, report, why }
OperatorMute { player, length, report, why }
OperatorClose { player, closed, report, why }
OperatorAnnul { match_id, report, why }
OperatorAnnulAll { player, why }
ReadRings {}
ReadActivity { people, matches }
ReadNotices {}
NoticesRead {}
ReadPasskeys {}
BeginPasskey { password }
AddPasskey { credential, name }
RemovePasskey { id, next }
BeginPasskeySignIn {}
PasskeySignIn { credential, next }
ResetPassword { new_password, next }
ReadPuzzles {}
ReadPuzzle { id, moves }
TryPuzzle { id, moves, mv }
HelpPuzzle { id, moves, whole }
MakeRecoveryCodes { password }
ReadRecoveryStatus {}
Recover { name, code, new_password, next }
ChangeSettings { theme, palette, sound, confirm, coordinates, marks, language, next }
ReadProfile { name, game, page }
ReadStandings { game, bots, page }
ReadTop { game }
ReadHistory { game, opponent, result, page }
ReadMatch { id, timed }
ReadShowcase {}
ReadMyMatch {}
ReadTv {}
MakeMove { match_id, mv, version, client_id }
MakeOffer { match_id, kind }
AnswerOffer { match_id, accept, offer }
CancelOffer { match_id }
Rematch { match_id, rated }
Abort { match_id }
Resign { match_id }
ReadTokens {}
CreateToken { name, scopes, end, password }
EndToken { id, next }
BecomeBot { password, next }}
