//! Every endpoint, called by everybody, about what is their own, what is somebody else's, and what does not exist.
//!
//! The table says for each endpoint who may call it at all, and what is answered in the three cases. The test generates all
//! calls from it, and fails if `docs/api.md` knows an endpoint that the table lacks.

use super::app::TestApp;
use super::player::{Player, Response, Visitor, send};
use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU32;
use tochki_play::Terms;
use tochki_protocol::PlayerId;
use tochki_rules::GameKind;

/// Who calls.
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

/// Whose thing a call is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Whose {
    Own,
    Others,
    Missing,
}

use Whose::{Missing, Others, Own};

/// Who may call an endpoint at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum For {
    Everybody,
    Players,
    Operators,
}

/// One endpoint: who may call it, its arguments, and the code in the three cases. `ok` is a success.
struct Row {
    endpoint: &'static str,
    who: For,
    /// `{match}` and the like stand for what the call is about.
    arguments: &'static str,
    codes: [&'static str; 3],
    /// Those to whom something else is answered, in any of the cases where the code is not that of a stranger.
    except: &'static [(Caller, Whose, &'static str)],
}

const fn row(
    endpoint: &'static str,
    who: For,
    arguments: &'static str,
    codes: [&'static str; 3],
    except: &'static [(Caller, Whose, &'static str)],
) -> Row {
    Row {
        endpoint,
        who,
        arguments,
        codes,
        except,
    }
}

const OK: [&str; 3] = ["ok"; 3];

#[rustfmt::skip]
const TABLE: &[Row] = &[
    row("POST /api/register", For::Everybody, "name={fresh}&password=correct horse", OK, &[]),
    row("POST /api/login", For::Everybody, "name={fresh}&password=wrong horse", ["bad_credentials"; 3], &[]),
    row("POST /api/logout", For::Everybody, "", OK, &[]),
    row("GET /api/whoami", For::Everybody, "", OK, &[]),
    row("GET /api/made_up_name", For::Everybody, "", OK, &[]),
    row("POST /api/be_guest", For::Everybody, "name={fresh}", OK, &[]),
    row("POST /api/keep_account", For::Players, "name={fresh}&password=correct horse", ["not_a_guest"; 3], &[(Guest, Own, "ok")]),
    row("POST /api/change_password", For::Players, "password=wrong horse&new_password=another horse", ["wrong_password"; 3], &[]),
    row("POST /api/recover", For::Everybody, "name={fresh}&code=none&new_password=another horse", ["bad_credentials"; 3], &[]),
    row("POST /api/recovery_codes", For::Players, "password=wrong horse", ["wrong_password"; 3], &[]),
    row("GET /api/recovery_status", For::Players, "", OK, &[]),
    row("GET /api/passkeys", For::Players, "", OK, &[]),
    row("POST /api/passkey_begin_registration", For::Players, "password=wrong horse", ["wrong_password"; 3], &[]),
    row("POST /api/passkey_finish_registration", For::Players, "credential=none&name=phone", ["passkey_refused"; 3], &[]),
    row("POST /api/remove_passkey", For::Players, "id={passkey}", ["ok", "unknown_passkey", "unknown_passkey"], &[]),
    row("POST /api/passkey_begin_sign_in", For::Everybody, "", OK, &[]),
    row("POST /api/passkey_finish_sign_in", For::Everybody, "credential=none", ["passkey_refused"; 3], &[]),
    row("POST /api/reset_password", For::Players, "new_password=another horse", ["passkey_refused"; 3], &[]),
    row("GET /api/sessions", For::Players, "", OK, &[]),
    row("POST /api/end_session", For::Players, "id={session}", ["ok", "no_such_session", "no_such_session"], &[]),
    row("POST /api/become_bot", For::Players, "password=wrong horse", ["wrong_password"; 3], &[]),
    row("GET /api/tokens", For::Players, "", OK, &[]),
    row("POST /api/create_token", For::Players, "name=bot&scopes=read&end=month&password=wrong horse", ["wrong_password"; 3], &[]),
    row("POST /api/end_token", For::Players, "id={token}", ["ok", "no_such_token", "no_such_token"], &[]),
    row("GET /api/my_data", For::Players, "", OK, &[]),
    row("POST /api/delete_account", For::Players, "password=wrong horse", ["wrong_password"; 3], &[(Guest, Own, "ok")]),
    row("POST /api/settings", For::Everybody, "theme=night", OK, &[]),
    row("POST /api/report_failure", For::Everybody, "kind=panic&page=match", OK, &[]),
    row("POST /api/remember_choice", For::Players, "choice=game=dots", OK, &[]),
    row("GET /api/waiting_count", For::Everybody, "", OK, &[]),
    row("GET /api/waiting_room", For::Players, "game=dots", OK, &[]),
    row("POST /api/challenge", For::Players, "opponent={player}&game=dots&rated=false", ["self_challenge", "not_waiting", "not_waiting"], &[]),
    row("POST /api/answer_challenge", For::Players, "id={challenge_to}&accept=false", ["ok", "not_yours", "challenge_closed"], &[]),
    row("POST /api/cancel_challenge", For::Players, "id={challenge_from}", ["ok", "not_yours", "challenge_closed"], &[]),
    row("GET /api/endings", For::Players, "game=dots", OK, &[]),
    row("POST /api/open_table", For::Players, "game=dots", OK, &[]),
    row("GET /api/table", For::Everybody, "link={link}", ["ok", "ok", "no_such_table"], &[]),
    row("GET /api/my_table", For::Players, "", OK, &[]),
    row("GET /api/invitation", For::Everybody, "link={link}", ["ok", "ok", "no_such_table"], &[]),
    row("POST /api/sit", For::Players, "table={table}", ["ok", "ok", "no_such_table"], &[]),
    row("POST /api/stand_up", For::Players, "table={table}", ["ok", "not_seated", "no_such_table"], &[]),
    row("POST /api/ready", For::Players, "table={table}&ready=false", ["ok", "not_seated", "no_such_table"], &[]),
    row("POST /api/remove_player", For::Players, "table={table}&player={stranger}", ["not_seated", "not_yours", "no_such_table"], &[(Opponent, Own, "not_yours")]),
    row("GET /api/match", For::Everybody, "id={match}", ["ok", "ok", "no_such_match"], &[]),
    row("GET /api/my_match", For::Everybody, "", OK, &[]),
    row("GET /api/showcase", For::Everybody, "", OK, &[]),
    // The player, who has seat 1, is to move.
    row("POST /api/move", For::Players, "match_id={match}&mv=2,2", ["ok", "not_a_player", "no_such_match"], &[(Opponent, Own, "not_your_turn")]),
    // The opponent comes first.
    row("POST /api/offer", For::Players, "match_id={match}&kind=draw", ["ok", "not_a_player", "no_such_match"], &[(Caller::Player, Own, "offer_open")]),
    row("POST /api/answer_offer", For::Players, "match_id={match}&accept=true", ["offer_closed", "not_a_player", "no_such_match"], &[]),
    row("POST /api/cancel_offer", For::Players, "match_id={match}", ["offer_closed", "not_a_player", "no_such_match"], &[]),
    row("POST /api/resign", For::Players, "match_id={match}", ["ok", "not_a_player", "no_such_match"], &[(Caller::Player, Own, "finished")]),
    row("POST /api/abort", For::Players, "match_id={match}", ["begun", "not_a_player", "no_such_match"], &[]),
    row("POST /api/rematch", For::Players, "match_id={match}", ["not_finished", "not_a_player", "no_such_match"], &[]),
    row("POST /api/say", For::Players, "place=lobby&text=hello", OK, &[(Muted, Own, "muted")]),
    row("POST /api/say", For::Players, "place={match}&text=hello", ["ok", "ok", "no_such_match"], &[(Muted, Own, "muted"), (Muted, Others, "muted")]),
    row("GET /api/talk", For::Players, "place=lobby", OK, &[]),
    row("GET /api/talk", For::Everybody, "place={match}", ["ok", "ok", "no_such_match"], &[]),
    row("POST /api/mute", For::Players, "player={player}&muted=true", ["yourself", "ok", "no_such_player"], &[]),
    row("POST /api/report", For::Players, "message={message}", ["yourself", "ok", "no_such_message"], &[]),
    row("GET /api/profile", For::Everybody, "name={name}", ["ok", "ok", "no_such_player"], &[]),
    row("GET /api/standings", For::Everybody, "game=dots", OK, &[]),
    row("GET /api/top", For::Everybody, "game=dots", OK, &[]),
    row("GET /api/history", For::Players, "", OK, &[]),
    row("GET /api/computer_games", For::Players, "", OK, &[]),
    row("GET /api/computer_game", For::Players, "id=0", ["not_found"; 3], &[]),
    row("POST /api/keep_computer_game", For::Players, "key=a1&game=gomoku&level=2&seat=1&moves=5,5 6,6&started_at=1&finished_at=2", ["not_finished"; 3], &[]),
    row("POST /api/delete_computer_game", For::Players, "id=0", ["not_found"; 3], &[]),
    row("GET /api/openapi.json", For::Everybody, "", OK, &[]),
    row("GET /api/games", For::Everybody, "", OK, &[]),
    row("GET /api/tv", For::Everybody, "", OK, &[]),
    row("GET /embed/match/{match}", For::Everybody, "", ["ok", "ok", "no_such_match"], &[]),
    row("GET /api/puzzles", For::Everybody, "", OK, &[]),
    // Puzzles are nobody's own.
    row("GET /api/puzzle", For::Everybody, "id=1", OK, &[]),
    row("POST /api/try_puzzle", For::Everybody, "id=0&moves=h:0,0", ["no_such_puzzle"; 3], &[]),
    row("POST /api/help_puzzle", For::Everybody, "id=1&whole=true", OK, &[]),
    row("GET /api/notices", For::Players, "", OK, &[]),
    row("POST /api/notices_read", For::Players, "", OK, &[]),
    row("GET /api/operator_desk", For::Operators, "", OK, &[]),
    row("GET /api/operator_house", For::Operators, "", OK, &[]),
    row("GET /api/marked_names", For::Operators, "", OK, &[]),
    row("POST /api/operator_dismiss", For::Operators, "report={report}", ["yourself", "ok", "not_found"], &[]),
    row("POST /api/operator_remove_message", For::Operators, "message={message}", ["ok", "ok", "no_such_message"], &[]),
    row("POST /api/operator_annul", For::Operators, "match_id={match}", ["yourself", "not_finished", "no_such_match"], &[]),
    row("POST /api/operator_annul_all", For::Operators, "player={player}", ["yourself", "ok", "no_such_player"], &[]),
    row("GET /api/operator_rings", For::Operators, "", OK, &[]),
    row("POST /api/operator_mute", For::Operators, "player={player}&length=hour", ["yourself", "ok", "no_such_player"], &[]),
    row("POST /api/operator_close", For::Operators, "player={player}&closed=false", ["yourself", "ok", "no_such_player"], &[]),
    row("GET /history/sgf", For::Players, "", OK, &[]),
    row("GET /history/jsonl", For::Players, "", OK, &[]),
    row("GET /events", For::Everybody, "topics=match:{match},table:{link},lobby:dots", ["ok", "ok", "ok"], &[]),
    row("GET /events/lobby", For::Players, "game=dots", OK, &[]),
    row("GET /events/me", For::Players, "", OK, &[]),
    row("GET /events/match/{match}", For::Everybody, "", ["ok", "ok", "no_such_match"], &[]),
    row("GET /events/table/{link}", For::Everybody, "", ["ok", "ok", "no_such_table"], &[]),
];

/// The arguments of an endpoint, with placeholders; empty where it is not in the table, or has none.
pub(crate) fn arguments_of(endpoint: &str) -> &'static str {
    let row = TABLE.iter().find(|row| row.endpoint == endpoint);
    row.map_or("", |row| row.arguments)
}

impl Row {
    /// Whether it is about something that can be one's own.
    fn has_target(&self) -> bool {
        let filled = format!("{}{}", self.endpoint, self.arguments);
        filled.replace("{fresh}", "").contains('{')
    }

    /// The cases to try. A session that is ended comes last.
    fn cases(&self) -> &'static [Whose] {
        match self.has_target() {
            false => &[Own],
            true if self.arguments.contains("{session}") => &[Others, Missing, Own],
            true => &[Own, Others, Missing],
        }
    }

    /// What must be answered.
    fn expected(&self, caller: Caller, whose: Whose) -> &'static str {
        let signed_in = !matches!(caller, Nobody | Closed);
        match self.who {
            For::Players | For::Operators if !signed_in => return "signed_out",
            For::Operators if caller != Operator => return "not_operator",
            _ => {}
        }
        let except = self.except.iter();
        let mut except = except.filter(|(who, case, _)| (*who, *case) == (caller, whose));
        except
            .next()
            .map_or(self.codes[whose as usize], |(_, _, code)| code)
    }
}

/// What there is for one row: the callers, a stranger for each of them, and their objects.
struct World {
    callers: BTreeMap<Caller, Visitor>,
    own: BTreeMap<Caller, Objects>,
    others: BTreeMap<Caller, Objects>,
}

/// The objects of a player, by their placeholder.
type Objects = BTreeMap<&'static str, String>;

/// A player without a password, which nothing here needs to know.
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

/// A running match in which each has made a move.
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
const PASSKEY: &str =
    "insert into passkeys (player_id, credential_id, public_key, state, transports, name)
     select $1, int8send($1), '', '', 0, 'phone' where $2 = $2 returning id";

const TOKEN: &str = "insert into tokens (player_id, token_hash, name, scopes)
     select $1, sha256(random()::text::bytea), 'bot', '{read}' where $2 = $2 returning id";

/// What belongs to this player, as far as the row asks for it.
async fn objects_of(app: &TestApp, row: &Row, whose: &Player, other: &Player) -> Objects {
    let asked = |name: &str| format!("{}{}", row.endpoint, row.arguments).contains(name);
    let mut objects = Objects::from([
        ("{player}", whose.id.to_string()),
        ("{name}", whose.name.clone()),
        ("{stranger}", other.id.to_string()),
    ]);
    if asked("{match}") {
        objects.insert("{match}", started(app, whose, other).await);
    }
    if asked("{table}") || asked("{link}") {
        // Whoever plays opens no table.
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
        ("{passkey}", PASSKEY, whose.id, other.id),
    ] {
        if asked(name) {
            objects.insert(name, insert(app, statement, one, two).await);
        }
    }
    objects
}

/// A name for a caller. None may have a word in it that speaks for the house.
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
        for caller in CALLERS {
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
        if !own.contains_key(&Opponent) {
            own.insert(Opponent, own[&Caller::Player].clone());
        }
        // Who is nobody, or nobody any more, asks about what is the player's.
        for caller in [Nobody, Closed] {
            if row.who == For::Everybody && row.arguments.contains("{name}") {
                continue;
            }
            own.insert(caller, own[&Caller::Player].clone());
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

/// What no token reaches: the account, and what operators do. Of the rest a `GET` is read and a `POST` is played.
fn is_closed_to_tokens(endpoint: &str) -> bool {
    let account = [
        "register",
        "login",
        "logout",
        "be_guest",
        "keep_account",
        "change_password",
        "recover",
        "recovery_codes",
        "recovery_status",
        "passkeys",
        "passkey_begin_registration",
        "passkey_finish_registration",
        "passkey_begin_sign_in",
        "passkey_finish_sign_in",
        "remove_passkey",
        "reset_password",
        "sessions",
        "end_session",
        "tokens",
        "create_token",
        "become_bot",
        "end_token",
        "my_data",
        "delete_account",
        "settings",
        "remember_choice",
        "report_failure",
    ];
    let (_, path) = endpoint.split_once(' ').expect("a method");
    path.starts_with("/api/operator_")
        || path == "/api/marked_names"
        || path
            .strip_prefix("/api/")
            .is_some_and(|name| account.contains(&name))
}

/// What is answered to a program of the player whose token has these scopes, about what is the player's own.
fn expected_of_token(row: &Row, scopes: &str) -> &'static str {
    let read_only = scopes == "read";
    let reads = row.endpoint.starts_with("GET ") && row.endpoint != "GET /events/lobby";
    if is_closed_to_tokens(row.endpoint) || read_only && !reads {
        return "out_of_scope";
    }
    row.expected(Caller::Player, Own)
}

/// The code of an answer.
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
            let partner = player(&app, &format!("b{scopes}-{number}"), false).await;
            let mut own = objects_of(&app, row, &whose, &partner).await;
            own.insert("{stranger}", partner.id.to_string());
            if row.endpoint == "POST /api/offer" || row.endpoint == "POST /api/resign" {
                // In the table the opponent comes first.
                let id = own["{match}"].clone();
                let form = [("match_id", &*id), ("kind", "draw")];
                partner
                    .post(row.endpoint.trim_start_matches("POST "), &form)
                    .await
                    .assert_ok();
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
fn the_table_has_every_documented_endpoint() {
    let page = include_str!("../../docs/api.md");
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `"));
    let documented: BTreeSet<&str> = rows
        .filter_map(|row| row.split_once('`'))
        .map(|(endpoint, _)| endpoint)
        .filter(|endpoint| endpoint.contains(" /api/"))
        .collect();
    let tested: BTreeSet<&str> = TABLE.iter().map(|row| row.endpoint).collect();
    let missing: Vec<_> = documented.difference(&tested).collect();
    assert!(documented.len() > 50 && missing.is_empty(), "{missing:?}");
}
