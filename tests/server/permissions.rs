//! Every endpoint, called by everybody, about things of their own, of somebody else's, and about things that do not exist.
//!
//! The list of endpoints names the callers of each, and the scope; the table has the answer in the three cases. The test
//! generates all calls from both, and fails if the list has an endpoint that the table lacks.

use super::app::TestApp;
use super::player::{Player, Response, Visitor, send};
use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU32;
use tochki_pages::endpoint::{CallerKind, Endpoint, Method};
use tochki_play::Terms;
use tochki_protocol::{PlayerId, Scope};
use tochki_rules::GameKind;

/// The caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Caller {
    Nobody,
    Closed,
    Guest,
    Muted,
    Operator,
    /// Plays the match of the player, and sits at their table.
    Opponent,
    Player,
}

use Caller::{Closed, Guest, Muted, Nobody, Operator, Opponent};

const CALLERS: [Caller; 7] = [
    Nobody,
    Closed,
    Guest,
    Muted,
    Operator,
    Opponent,
    Caller::Player,
];

/// The owner of the thing that a call is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Whose {
    Own,
    Others,
    Missing,
}

use Whose::{Missing, Others, Own};

/// An endpoint: its arguments, and the code in the three cases. `ok` is a success.
struct Row {
    endpoint: &'static str,
    /// The arguments, in which `{match}` and the like stand for the thing that the call is about.
    arguments: &'static str,
    codes: [&'static str; 3],
    /// The callers to whom something else is answered, in any of the cases where the code is not that of a stranger.
    except: &'static [(Caller, Whose, &'static str)],
}

const fn row(
    endpoint: &'static str,
    arguments: &'static str,
    codes: [&'static str; 3],
    except: &'static [(Caller, Whose, &'static str)],
) -> Row {
    Row {
        endpoint,
        arguments,
        codes,
        except,
    }
}

const OK: [&str; 3] = ["ok"; 3];

#[rustfmt::skip]
const TABLE: &[Row] = &[
    row("POST /api/register", "name={fresh}&password=correct horse", OK, &[]),
    row("POST /api/login", "name={fresh}&password=wrong horse", ["bad_credentials"; 3], &[]),
    row("POST /api/logout", "", OK, &[]),
    row("GET /api/whoami", "", OK, &[]),
    row("GET /api/made_up_name", "", OK, &[]),
    row("POST /api/be_guest", "name={fresh}", OK, &[]),
    row("POST /api/keep_account", "name={fresh}&password=correct horse", ["not_a_guest"; 3], &[(Guest, Own, "ok")]),
    row("POST /api/change_password", "password=wrong horse&new_password=another horse", ["wrong_password"; 3], &[]),
    row("POST /api/recover", "name={fresh}&code=none&new_password=another horse", ["bad_credentials"; 3], &[]),
    row("POST /api/recovery_codes", "password=wrong horse", ["wrong_password"; 3], &[]),
    row("GET /api/recovery_status", "", OK, &[]),
    row("GET /api/mail", "", OK, &[]),
    row("POST /api/set_mail", "address=ann@example.org&password=wrong horse", ["mail_off"; 3], &[]),
    row("POST /api/remove_mail", "password=wrong horse", ["wrong_password"; 3], &[]),
    row("POST /api/mail_notices", "sign_ins=true", OK, &[]),
    row("POST /api/confirm_mail", "token=none", ["bad_link"; 3], &[]),
    row("POST /api/unsubscribe", "token=none", ["bad_link"; 3], &[]),
    row("POST /mail/unsubscribe/{token}", "", ["bad_link"; 3], &[]),
    row("POST /api/forgot_password", "name={fresh}", ["mail_off"; 3], &[]),
    row("POST /api/reset_by_mail", "token=none&new_password=another horse", ["bad_link"; 3], &[]),
    row("GET /api/passkeys", "", OK, &[]),
    row("POST /api/passkey_begin_registration", "password=wrong horse", ["wrong_password"; 3], &[]),
    row("POST /api/passkey_finish_registration", "credential=none&name=phone", ["passkey_refused"; 3], &[]),
    row("POST /api/remove_passkey", "id={passkey}", ["ok", "unknown_passkey", "unknown_passkey"], &[]),
    row("POST /api/passkey_begin_sign_in", "", OK, &[]),
    row("POST /api/passkey_finish_sign_in", "credential=none", ["passkey_refused"; 3], &[]),
    row("POST /api/reset_password", "new_password=another horse", ["passkey_refused"; 3], &[]),
    row("GET /api/sessions", "", OK, &[]),
    row("POST /api/end_session", "id={session}", ["ok", "no_such_session", "no_such_session"], &[]),
    row("POST /api/become_bot", "password=wrong horse", ["wrong_password"; 3], &[]),
    row("GET /api/tokens", "", OK, &[]),
    row("POST /api/create_token", "name=bot&scopes=read&end=month&password=wrong horse", ["wrong_password"; 3], &[]),
    row("POST /api/end_token", "id={token}", ["ok", "no_such_token", "no_such_token"], &[]),
    row("GET /api/my_data", "", OK, &[]),
    row("POST /api/delete_account", "password=wrong horse", ["wrong_password"; 3], &[(Guest, Own, "ok")]),
    row("POST /api/settings", "theme=night", OK, &[]),
    row("POST /api/report_failure", "kind=panic&page=match", OK, &[]),
    row("POST /api/remember_choice", "choice=game=dots", OK, &[]),
    row("GET /api/waiting_count", "", OK, &[]),
    row("GET /api/waiting_room", "game=dots", OK, &[]),
    row("POST /api/challenge", "opponent={player}&game=dots&rated=false", ["self_challenge", "not_waiting", "not_waiting"], &[]),
    row("POST /api/answer_challenge", "id={challenge_to}&accept=false", ["ok", "not_yours", "challenge_closed"], &[]),
    row("POST /api/cancel_challenge", "id={challenge_from}", ["ok", "not_yours", "challenge_closed"], &[]),
    row("POST /api/quick_game", "game=dots&rated=false", OK, &[]),
    row("POST /api/cancel_quick_game", "", OK, &[]),
    row("GET /api/endings", "game=dots", OK, &[]),
    row("POST /api/open_table", "game=dots", OK, &[]),
    row("GET /api/table", "link={link}", ["ok", "ok", "no_such_table"], &[]),
    row("GET /api/my_challenges", "", OK, &[]),
    row("GET /api/my_table", "", OK, &[]),
    row("GET /api/invitation", "link={link}", ["ok", "ok", "no_such_table"], &[]),
    row("POST /api/sit", "table={table}", ["ok", "ok", "no_such_table"], &[]),
    row("POST /api/stand_up", "table={table}", ["ok", "not_seated", "no_such_table"], &[]),
    row("POST /api/ready", "table={table}&ready=false", ["ok", "not_seated", "no_such_table"], &[]),
    row("POST /api/remove_player", "table={table}&player={stranger}", ["not_seated", "not_yours", "no_such_table"], &[(Opponent, Own, "not_yours")]),
    row("POST /api/create_tournament", "name=Arena&game=dots&clock=none&minutes=30&starts_at=0", ["invalid_tournament"; 3], &[]),
    row("POST /api/join_tournament", "id={tournament}", ["ok", "ok", "no_such_tournament"], &[(Guest, Own, "not_qualified"), (Guest, Others, "not_qualified")]),
    row("POST /api/leave_tournament", "id={tournament}", ["not_open", "not_open", "no_such_tournament"], &[]),
    row("POST /api/confirm_presence", "id={tournament}", ["not_open", "not_open", "no_such_tournament"], &[]),
    row("POST /api/request_bye", "id={tournament}&round=1", ["not_open", "not_open", "no_such_tournament"], &[]),
    row("POST /api/remind_of_tournament", "id={tournament}&remind=true", ["ok", "ok", "no_such_tournament"], &[]),
    row("POST /api/choose_side", "id={tournament}&side=1", ["not_open", "not_open", "no_such_tournament"], &[]),
    row("POST /api/propose_time", "id={tournament}&at=0", ["not_open", "not_open", "no_such_tournament"], &[]),
    row("POST /api/repeat_tournament", "id={tournament}&rule=FREQ=DAILY", ["ok", "ok", "no_such_tournament"], &[]),
    row("POST /api/end_tournament_series", "id={tournament}", ["not_open", "not_open", "no_such_tournament"], &[]),
    row("POST /api/remove_from_tournament", "id={tournament}&player={stranger}", ["no_such_player", "not_yours", "no_such_tournament"], &[(Operator, Others, "no_such_player")]),
    row("POST /api/cancel_tournament", "id={tournament}", ["ok", "not_yours", "no_such_tournament"], &[(Operator, Others, "ok")]),
    row("POST /api/close_tournament_entries", "id={tournament}&closed=true", ["ok", "not_yours", "no_such_tournament"], &[(Operator, Others, "ok")]),
    row("POST /api/open_league", "name=League&game=dots&clock=none", ["invalid_clock"; 3], &[]),
    row("POST /api/end_league", "id=0", ["not_found"; 3], &[]),
    row("POST /api/join_league", "id=0", ["not_found"; 3], &[]),
    row("POST /api/leave_league", "id=0", ["not_found"; 3], &[]),
    row("GET /api/leagues", "", OK, &[]),
    row("GET /api/league", "id=0", ["not_found"; 3], &[]),
    row("GET /api/tournaments", "", OK, &[]),
    row("GET /api/next_tournament", "", OK, &[]),
    row("GET /api/tournament", "id={tournament}", ["ok", "ok", "no_such_tournament"], &[]),
    row("GET /api/tournament_standings", "id={tournament}", ["ok", "ok", "no_such_tournament"], &[]),
    row("GET /api/tournament_pairings", "id={tournament}", ["ok", "ok", "no_such_tournament"], &[]),
    row("GET /api/tournament_bracket", "id={tournament}", ["no_such_tournament"; 3], &[]),
    row("GET /api/tournament_games", "id={tournament}", ["ok", "ok", "no_such_tournament"], &[]),
    row("GET /api/tournament_entry", "id={tournament}", ["ok", "ok", "no_such_tournament"], &[]),
    row("GET /api/match", "id={match}", ["ok", "ok", "no_such_match"], &[]),
    row("GET /api/my_match", "", OK, &[]),
    row("GET /api/my_games", "", OK, &[]),
    row("GET /api/count_my_games", "", OK, &[]),
    row("GET /api/notes", "match_id={match}", ["ok", "not_a_player", "no_such_match"], &[]),
    row("POST /api/notes", "match_id={match}&text=hello", ["ok", "not_a_player", "no_such_match"], &[]),
    row("GET /api/conditional_moves", "match_id={match}", ["ok", "not_a_player", "no_such_match"], &[]),
    row("GET /api/refused_conditional_moves", "match_id={match}", ["ok", "not_a_player", "no_such_match"], &[]),
    row("POST /api/conditional_moves", "match_id={match}&tree=", ["live_match", "not_a_player", "no_such_match"], &[]),
    row("GET /api/next_game", "", OK, &[]),
    row("GET /api/time_zone", "", OK, &[]),
    row("POST /api/time_zone", "zone=Nowhere", ["bad_request"; 3], &[]),
    row("GET /api/vacation", "", OK, &[]),
    row("POST /api/vacation", "on=false", OK, &[]),
    row("POST /api/automatic_vacation", "automatic=true", OK, &[]),
    row("GET /api/showcase", "", OK, &[]),
    // The player, who has seat 1, is to move.
    row("POST /api/move", "match_id={match}&mv=2,2", ["ok", "not_a_player", "no_such_match"], &[(Opponent, Own, "not_your_turn")]),
    // The opponent comes first.
    row("POST /api/offer", "match_id={match}&kind=draw", ["ok", "not_a_player", "no_such_match"], &[(Caller::Player, Own, "offer_open")]),
    row("POST /api/answer_offer", "match_id={match}&accept=true", ["offer_closed", "not_a_player", "no_such_match"], &[]),
    row("POST /api/cancel_offer", "match_id={match}", ["offer_closed", "not_a_player", "no_such_match"], &[]),
    row("POST /api/adjourn", "match_id={match}", ["ok", "not_a_player", "no_such_match"], &[(Caller::Player, Own, "offer_open")]),
    row("POST /api/answer_adjourn", "match_id={match}&accept=true", ["offer_closed", "not_a_player", "no_such_match"], &[]),
    row("POST /api/seal", "match_id={match}&mv=2,2", ["not_adjourned", "not_a_player", "no_such_match"], &[]),
    row("POST /api/resume", "match_id={match}", ["ok", "not_a_player", "no_such_match"], &[]),
    row("POST /api/resign", "match_id={match}", ["ok", "not_a_player", "no_such_match"], &[(Caller::Player, Own, "finished")]),
    row("POST /api/berserk", "match_id={match}", ["no_berserk", "not_a_player", "no_such_match"], &[]),
    row("POST /api/abort", "match_id={match}", ["begun", "not_a_player", "no_such_match"], &[]),
    row("POST /api/rematch", "match_id={match}", ["not_finished", "not_a_player", "no_such_match"], &[]),
    row("POST /api/say", "place=lobby&text=hello", OK, &[(Muted, Own, "muted")]),
    row("POST /api/say", "place={match}&text=hello", ["ok", "ok", "no_such_match"], &[(Muted, Own, "muted"), (Muted, Others, "muted")]),
    row("GET /api/talk", "place=lobby", OK, &[(Nobody, Own, "signed_out"), (Closed, Own, "signed_out")]),
    row("GET /api/talk", "place={match}", ["ok", "ok", "no_such_match"], &[]),
    row("POST /api/mute", "player={player}&muted=true", ["yourself", "ok", "no_such_player"], &[]),
    row("GET /api/notifications", "", OK, &[]),
    row("GET /api/unread_notifications", "", OK, &[]),
    row("POST /api/read_notifications", "id={match}", OK, &[]),
    row("GET /api/notification_settings", "", OK, &[]),
    row("GET /api/push_key", "", OK, &[]),
    // Without a contact there are no pushes.
    row("POST /api/subscribe_push", "endpoint=https://push.example/a&p256dh=a&auth=a", ["not_found"; 3], &[]),
    row("POST /api/unsubscribe_push", "endpoint=https://push.example/a", OK, &[]),
    row("POST /api/change_notifications", "kind=game_over&push=off", OK, &[]),
    row("POST /api/report", "message={message}", ["yourself", "ok", "no_such_message"], &[]),
    row("GET /api/profile", "name={name}", ["ok", "ok", "no_such_player"], &[]),
    row("GET /api/standings", "game=dots", OK, &[]),
    row("GET /api/top", "game=dots", OK, &[]),
    row("GET /api/history", "", OK, &[]),
    row("GET /api/computer_games", "", OK, &[]),
    row("GET /api/computer_game", "id=0", ["not_found"; 3], &[]),
    row("POST /api/keep_computer_game", "key=a1&game=gomoku&level=2&seat=1&moves=5,5 6,6&started_at=1&finished_at=2", ["not_finished"; 3], &[]),
    row("POST /api/delete_computer_game", "id=0", ["not_found"; 3], &[]),
    row("GET /api/openapi.json", "", OK, &[]),
    row("GET /api/games", "", OK, &[]),
    row("GET /api/tv", "", OK, &[]),
    row("GET /embed/match/{match}", "", ["ok", "ok", "no_such_match"], &[]),
    row("GET /match/{match}/card.png", "", ["ok", "ok", "no_such_match"], &[]),
    row("GET /card/{game}", "", ["ok", "ok", "not_found"], &[]),
    row("GET /api/puzzles", "", OK, &[]),
    row("GET /api/daily_puzzle", "", OK, &[]),
    // Puzzles are nobody's own.
    row("GET /api/puzzle", "id=1", OK, &[]),
    row("POST /api/try_puzzle", "id=0&moves=h:0,0", ["no_such_puzzle"; 3], &[]),
    row("POST /api/help_puzzle", "id=1&whole=true", OK, &[]),
    row("GET /api/notices", "", OK, &[]),
    row("POST /api/notices_read", "", OK, &[]),
    row("GET /api/operator_desk", "", OK, &[]),
    row("GET /api/operator_house", "", OK, &[]),
    row("GET /api/marked_names", "", OK, &[]),
    row("POST /api/operator_dismiss", "report={report}", ["yourself", "ok", "not_found"], &[]),
    row("POST /api/operator_remove_message", "message={message}", ["ok", "ok", "no_such_message"], &[]),
    row("POST /api/operator_annul", "match_id={match}", ["yourself", "not_finished", "no_such_match"], &[]),
    row("POST /api/operator_annul_all", "player={player}", ["yourself", "ok", "no_such_player"], &[]),
    row("GET /api/operator_rings", "", OK, &[]),
    row("GET /api/operator_shared_addresses", "", OK, &[]),
    row("POST /api/operator_mute", "player={player}&length=hour", ["yourself", "ok", "no_such_player"], &[]),
    row("POST /api/operator_close", "player={player}&closed=false", ["yourself", "ok", "no_such_player"], &[]),
    row("GET /history/sgf", "", OK, &[]),
    row("GET /history/jsonl", "", OK, &[]),
    row("GET /events", "topics=match:{match},table:{link},lobby:dots", ["ok", "ok", "ok"], &[]),
    row("GET /events/lobby", "game=dots", OK, &[]),
    row("GET /events/me", "", OK, &[]),
    row("GET /events/match/{match}", "", ["ok", "ok", "no_such_match"], &[]),
    row("GET /events/table/{link}", "", ["ok", "ok", "no_such_table"], &[]),
    row("GET /events/tournament/{tournament}", "", ["ok", "ok", "no_such_tournament"], &[]),
];

/// Returns the arguments of an endpoint, with placeholders; empty where it is not in the table, or has none.
pub(crate) fn arguments_of(endpoint: &str) -> &'static str {
    let row = TABLE.iter().find(|row| row.endpoint == endpoint);
    row.map_or("", |row| row.arguments)
}

impl Row {
    /// Returns the endpoint as it is declared.
    fn listed(&self) -> &'static Endpoint {
        let (_, path) = self.endpoint.split_once(' ').expect("a method");
        let path = path
            .replace("{match}", "{id}")
            .replace("{tournament}", "{id}");
        Endpoint::at(&path).unwrap_or_else(|| panic!("{path} is no endpoint"))
    }

    /// Returns whether the endpoint is about something that a player can own.
    fn has_target(&self) -> bool {
        let filled = format!("{}{}", self.endpoint, self.arguments);
        filled.replace("{fresh}", "").contains('{')
    }

    /// Returns the cases to try. A session that is ended comes last.
    fn cases(&self) -> &'static [Whose] {
        match self.has_target() {
            false => &[Own],
            true if self.arguments.contains("{session}") => &[Others, Missing, Own],
            true => &[Own, Others, Missing],
        }
    }

    /// Returns the code that must be answered.
    fn expected(&self, caller: Caller, whose: Whose) -> &'static str {
        let signed_in = !matches!(caller, Nobody | Closed);
        match self.listed().caller {
            CallerKind::Visitor => {}
            _ if !signed_in => return "signed_out",
            CallerKind::Operator if caller != Operator => return "not_operator",
            _ => {}
        }
        let except = self.except.iter();
        let mut except = except.filter(|(who, case, _)| (*who, *case) == (caller, whose));
        except
            .next()
            .map_or(self.codes[whose as usize], |(_, _, code)| code)
    }
}

/// The world of a row: the callers, a stranger for each of them, and their objects.
struct World {
    callers: BTreeMap<Caller, Visitor>,
    own: BTreeMap<Caller, Objects>,
    others: BTreeMap<Caller, Objects>,
}

/// The objects of a player, by their placeholder.
type Objects = BTreeMap<&'static str, String>;

/// Stores a player without a password, which nothing here needs to know.
async fn player(app: &TestApp, name: &str, guest: bool) -> Player {
    let visitor = app.visitor();
    let account = visitor.post("/api/be_guest", &[("name", name)]).await;
    let id = account.id("id");
    if !guest {
        sqlx::query("update players set guest = false, password_hash = '' where id = $1")
            .bind(id)
            .execute(&app.db)
            .await
            .unwrap();
    }
    Player::from_visitor(visitor, id, name.to_owned())
}

/// Starts a running match in which each has made a move.
async fn started(app: &TestApp, first: &Player, second: &Player) -> String {
    let terms = Terms {
        setup: GameKind::Dots.default_setup(),
        clock: "none".parse().expect("a clock"),
        rated: false,
    };
    let mut tx = tochki_server::db::begin(&app.db).await.unwrap();
    let seats = [PlayerId(first.id), PlayerId(second.id)];
    let id = tochki_server::pairing::db::start_match(&mut tx, seats, &terms)
        .await
        .unwrap();
    tx.commit().await.unwrap();
    first.make_move(id.0, "0,0", &[]).await.assert_ok();
    second.make_move(id.0, "1,1", &[]).await.assert_ok();
    id.to_string()
}

async fn insert(app: &TestApp, statement: &'static str, one: i64, other: i64) -> String {
    let id: i64 = sqlx::query_scalar(statement)
        .bind(one)
        .bind(other)
        .fetch_one(&app.db)
        .await
        .unwrap();
    id.to_string()
}

const CHALLENGE: &str = "insert into challenges (from_id, to_id, game, setup, clock, rated, expires_at)
     values ($1, $2, 'dots', '{\"width\":39,\"height\":32,\"start\":\"empty\"}', 'none', false, now() + interval '1 hour')
     returning id";
const MESSAGE: &str = "insert into messages (place, player_id, text) select 'lobby', $1, 'hm' where $2 = $2 returning id";
const REPORT: &str = "insert into reports (reported_id, reporter_id, place, text, said_at, reason)
     values ($1, $2, 'lobby', 'hm', now(), '') returning id";
const TOURNAMENT: &str = "insert into tournaments (format, name, creator_id, by_operator, game, setup, clock, rated, minutes, starts_at)
     select 'arena', 'Arena', $1, false, 'dots', '{\"width\":39,\"height\":32,\"start\":\"empty\"}', '60+1', false, 30,
         now() + interval '1 hour' where $2 = $2 returning id";
const PASSKEY: &str =
    "insert into passkeys (player_id, credential_id, public_key, state, transports, name)
     select $1, int8send($1), '', '', 0, 'phone' where $2 = $2 returning id";

const TOKEN: &str = "insert into tokens (player_id, token_hash, name, scopes)
     select $1, sha256(random()::text::bytea), 'bot', '{read}' where $2 = $2 returning id";

/// Makes the objects of this player, as far as the row asks for them.
async fn objects_of(app: &TestApp, row: &Row, whose: &Player, other: &Player) -> Objects {
    let asked = |name: &str| format!("{}{}", row.endpoint, row.arguments).contains(name);
    let mut objects = Objects::from([
        ("{player}", whose.id.to_string()),
        ("{name}", whose.name.clone()),
        ("{stranger}", other.id.to_string()),
        ("{game}", "dots.png".to_owned()),
    ]);
    if asked("{match}") {
        objects.insert("{match}", started(app, whose, other).await);
    }
    if asked("{table}") || asked("{link}") {
        // A player of a running match opens no table.
        let creator = if asked("{match}") {
            player(app, &format!("creator{}", whose.id), false).await
        } else {
            whose.clone()
        };
        // Each row opens some, all from one address.
        sqlx::query("delete from attempts")
            .execute(&app.db)
            .await
            .unwrap();
        let table = creator.open_table(&[]).await.assert_ok();
        objects.insert("{table}", table["id"].to_string());
        objects.insert("{link}", table["link"].as_str().expect("a link").to_owned());
    }
    if asked("{session}") {
        let sessions = whose.get("/api/sessions").await.assert_ok();
        objects.insert("{session}", sessions[0]["id"].to_string());
    }
    for (name, statement, one, two) in [
        ("{challenge_to}", CHALLENGE, other.id, whose.id),
        ("{challenge_from}", CHALLENGE, whose.id, other.id),
        ("{message}", MESSAGE, whose.id, other.id),
        ("{report}", REPORT, whose.id, other.id),
        ("{token}", TOKEN, whose.id, other.id),
        ("{tournament}", TOURNAMENT, whose.id, other.id),
        ("{passkey}", PASSKEY, whose.id, other.id),
    ] {
        if asked(name) {
            objects.insert(name, insert(app, statement, one, two).await);
        }
    }
    objects
}

/// Returns a name for a caller. None may have a word in it that speaks for the house.
fn own_name(prefix: &str, caller: Caller, number: usize) -> String {
    format!("{prefix}{caller:?}-{number}").to_lowercase()
}

impl World {
    async fn of(app: &TestApp, row: &Row, number: usize) -> Self {
        let mut players = BTreeMap::new();
        for caller in CALLERS {
            let name = own_name("the", caller, number);
            players.insert(caller, player(app, &name, caller == Guest).await);
        }
        let id = |caller| players[&caller].id;
        tochki_server::moderation::appoint(&app.db, &players[&Operator].name)
            .await
            .unwrap();
        let (mut own, mut others) = (BTreeMap::new(), BTreeMap::new());
        // A row about no object needs no strangers.
        let owners = if row.has_target() { &CALLERS[..] } else { &[] };
        for &caller in owners {
            let stranger = player(app, &own_name("x", caller, number), false).await;
            let partner = player(app, &own_name("y", caller, number), false).await;
            let third = player(app, &own_name("z", caller, number), false).await;
            others.insert(caller, objects_of(app, row, &stranger, &third).await);
            let at_one_match =
                row.endpoint.contains("{match}") || row.arguments.contains("{match}");
            let at_one_table = row.arguments.contains("{table}");
            if caller == Opponent && (at_one_match || at_one_table) {
                continue;
            }
            let other = if caller == Caller::Player && at_one_match {
                players[&Opponent].clone()
            } else {
                partner
            };
            let mut mine = objects_of(app, row, &players[&caller], &other).await;
            if caller == Caller::Player && at_one_table {
                let table = mine["{table}"].clone();
                let sat = players[&Opponent]
                    .post("/api/sit", &[("table", &table)])
                    .await;
                sat.assert_ok();
            }
            mine.insert("{stranger}", stranger.id.to_string());
            own.insert(caller, mine);
        }
        if let Some(of_player) = own.get(&Caller::Player).cloned() {
            own.entry(Opponent).or_insert_with(|| of_player.clone());
            // A caller without an account, or without a session any more, asks about the player's objects.
            for caller in [Nobody, Closed] {
                if row.listed().caller == CallerKind::Visitor && row.arguments.contains("{name}") {
                    continue;
                }
                own.insert(caller, of_player.clone());
            }
        }
        for statement in [
            "update players set muted_until = now() + interval '1 hour' where id = $1 and $2 = $2",
            "update players set closed_at = now() where id = $2 and $1 = $1",
        ] {
            sqlx::query(statement)
                .bind(id(Muted))
                .bind(id(Closed))
                .execute(&app.db)
                .await
                .unwrap();
        }
        let mut callers: BTreeMap<Caller, Visitor> = players
            .into_iter()
            .map(|(caller, player)| (caller, (*player).clone()))
            .collect();
        callers.insert(Nobody, app.visitor());
        Self {
            callers,
            own,
            others,
        }
    }

    fn fill(&self, text: &str, caller: Caller, whose: Whose, fresh: &str) -> String {
        let mut text = text.replace("{fresh}", fresh);
        let objects = match whose {
            Own => self.own.get(&caller),
            Others => self.others.get(&caller),
            Missing => None,
        };
        for (name, value) in objects.into_iter().flatten() {
            text = text.replace(name, value);
        }
        let missing = [("{link}", "0000000000"), ("{name}", "no-such-name")];
        for (name, value) in missing {
            text = text.replace(name, value);
        }
        while let (Some(from), Some(to)) = (text.find('{'), text.find('}')) {
            text.replace_range(from..=to, "999999999");
        }
        text
    }
}

/// Returns the answer to a program of the player whose token has these scopes, about an object of the player's own.
fn expected_of_token(row: &Row, scopes: &str) -> &'static str {
    let reached = match row.listed().scope {
        Some(Scope::Read) => true,
        Some(Scope::Play) => scopes == "play",
        None => false,
    };
    if !reached {
        return "out_of_scope";
    }
    row.expected(Caller::Player, Own)
}

/// Returns the code of an answer.
fn code(answer: &Response) -> String {
    answer.code().unwrap_or_else(|| "ok".to_owned())
}

/// Calls an endpoint. Of a stream that opens only the status is looked at.
async fn call(visitor: &Visitor, endpoint: &str, arguments: &str) -> String {
    let (method, path) = endpoint.split_once(' ').expect("a method");
    let arguments: Vec<(&str, &str)> = arguments
        .split('&')
        .filter_map(|pair| pair.split_once('='))
        .collect();
    if method == "POST" {
        return code(&visitor.post(path, &arguments).await);
    }
    let request = visitor
        .request(reqwest::Method::GET, path)
        .query(&arguments);
    if !path.starts_with("/events") && !path.starts_with("/history/") {
        return code(&send(request).await);
    }
    let response = request.send().await.expect("the server answers");
    if response.status().is_success() {
        return "ok".to_owned();
    }
    let text = response.text().await.expect("an error");
    let error: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    error["code"].as_str().expect("a code").to_owned()
}

#[tokio::test]
async fn every_endpoint_by_caller_and_owner() {
    let app = TestApp::with_settings(|settings| {
        settings.guests_by_address = NonZeroU32::new(1_000_000).unwrap();
        settings.requests_by_address = NonZeroU32::new(1_000_000).unwrap();
        settings.tables_by_address = NonZeroU32::new(1_000_000).unwrap();
        settings.tables_in_all = NonZeroU32::new(1_000_000).unwrap();
        settings.sign_in_by_address = NonZeroU32::new(1_000_000).unwrap();
        settings.sanction_hours = 0;
        // Passkeys belong to a domain.
        settings.public_origin = Some("http://localhost".to_owned());
    })
    .await;
    let (mut calls, mut wrong) = (0, Vec::new());
    for (number, row) in TABLE.iter().enumerate() {
        let world = World::of(&app, row, number).await;
        for caller in CALLERS {
            for &whose in row.cases() {
                let fresh = format!("fresh-{calls}");
                let fill = |text| world.fill(text, caller, whose, &fresh);
                let (endpoint, arguments) = (fill(row.endpoint), fill(row.arguments));
                let got = call(&world.callers[&caller], &endpoint, &arguments).await;
                let expected = row.expected(caller, whose);
                calls += 1;
                if got != expected {
                    wrong.push(format!(
                        "{endpoint} {arguments}: {caller:?}, {whose:?}: {got}, not {expected}"
                    ));
                }
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {calls} calls were answered otherwise:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    println!("{calls} calls");
}

#[tokio::test]
async fn every_endpoint_by_tokens_of_each_scope() {
    let app = TestApp::with_settings(|settings| {
        settings.guests_by_address = NonZeroU32::new(1_000_000).unwrap();
        settings.requests_by_address = NonZeroU32::new(1_000_000).unwrap();
        settings.tables_by_address = NonZeroU32::new(1_000_000).unwrap();
        settings.tables_in_all = NonZeroU32::new(1_000_000).unwrap();
    })
    .await;
    let mut wrong = Vec::new();
    for (number, row) in TABLE.iter().enumerate() {
        for (scopes, list) in [("read", "{read}"), ("play", "{read,play}"), ("none", "{}")] {
            let name = format!("a{scopes}-{number}");
            let whose = player(&app, &name, false).await;
            let mut own = Objects::new();
            if row.has_target() {
                let partner = player(&app, &format!("b{scopes}-{number}"), false).await;
                own = objects_of(&app, row, &whose, &partner).await;
                own.insert("{stranger}", partner.id.to_string());
                let after_the_opponent =
                    ["POST /api/offer", "POST /api/adjourn", "POST /api/resign"];
                if after_the_opponent.contains(&row.endpoint) {
                    // In the table the opponent comes first.
                    let id = own["{match}"].clone();
                    let form = [("match_id", &*id), ("kind", "draw")];
                    partner
                        .post(row.endpoint.trim_start_matches("POST "), &form)
                        .await
                        .assert_ok();
                }
            }
            let token = format!("tochki_{name}");
            sqlx::query(
                "insert into tokens (player_id, token_hash, name, scopes)
                 values ($1, sha256($2::text::bytea), 'bot', $3::text::text[])",
            )
            .bind(whose.id)
            .bind(&token)
            .bind(list)
            .execute(&app.db)
            .await
            .unwrap();
            let world = World {
                callers: BTreeMap::new(),
                own: BTreeMap::from([(Caller::Player, own)]),
                others: BTreeMap::new(),
            };
            let fill = |text| world.fill(text, Caller::Player, Own, &format!("f{name}"));
            let (endpoint, arguments) = (fill(row.endpoint), fill(row.arguments));
            let got = call(&whose.with_token(&token), &endpoint, &arguments).await;
            let expected = match scopes {
                "none" => "out_of_scope",
                _ => expected_of_token(row, scopes),
            };
            if got != expected {
                wrong.push(format!(
                    "{endpoint} {arguments}: {scopes}: {got}, not {expected}"
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_table_has_every_endpoint() {
    let listed = Endpoint::all().iter();
    let listed = listed.filter(|endpoint| endpoint.path.starts_with("/api/"));
    let listed: BTreeSet<String> = listed
        .map(|endpoint| format!("{} {}", endpoint.method.as_str(), endpoint.path))
        .collect();
    let tested = TABLE.iter().map(|row| row.endpoint.to_owned()).collect();
    let missing: Vec<_> = listed.difference(&tested).collect();
    assert!(listed.len() > 50 && missing.is_empty(), "{missing:?}");
}

/// A thief of a token gets everything that it opens by mistake.
#[test]
fn tokens_reach_no_account_and_read_alone_changes_nothing() {
    for endpoint in Endpoint::all() {
        let path = endpoint.path;
        let account = matches!(endpoint.section(), "Accounts" | "Moderation");
        let harmless = [
            "/api/whoami",
            "/api/made_up_name",
            "/api/notices",
            "/api/notices_read",
        ];
        if account && !harmless.contains(&path) {
            assert_eq!(endpoint.scope, None, "{path}");
        }
        if endpoint.method == Method::Post {
            assert_ne!(endpoint.scope, Some(Scope::Read), "{path}");
        }
    }
}
