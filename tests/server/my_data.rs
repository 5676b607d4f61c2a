//! The download of all data about a player: every column of the database that is about a player.

use super::app::{SMALL, TestApp, start_match};
use super::operator::with_operator;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// A column that refers to a player or an address, and its place in `my_data`, or the reason why it has none.
enum Kept {
    /// The member of the document.
    As(&'static str),
    /// The reason why it is left out.
    Not(&'static str),
}

use Kept::{As, Not};

const IN_MATCHES: &str = "computed from the matches, which are in the document";
const OF_RUNNING: &str =
    "the state of a running match, deleted with its end; its events are in the document";

/// The columns about players. A new column is added here, and to `db/my_data.rs` or with a reason.
const COLUMNS: &[(&str, Kept)] = &[
    ("absences.player_id", Not(OF_RUNNING)),
    ("addresses.address", As("addresses")),
    ("addresses.player_id", As("addresses")),
    ("audit.operator_id", As("acts")),
    ("audit.player_id", As("sanctions")),
    (
        "challenges.address",
        Not(
            "forgotten with the challenge, a day after its end; `addresses` has those that are kept",
        ),
    ),
    ("challenges.from_id", As("challenges")),
    ("challenges.to_id", As("challenges")),
    ("computer_games.player_id", As("computer_games")),
    ("conditional_moves.player_id", As("matches")),
    ("devices.player_id", As("devices")),
    (
        "house_bots.player_id",
        Not("accounts of the house, which nobody can sign in to"),
    ),
    ("league_members.player_id", As("leagues")),
    ("league_titles.player_id", As("league_titles")),
    (
        "leagues.made_by",
        Not("an act of an operator, kept against disputes"),
    ),
    ("lines.address", As("lines")),
    ("lines.player_id", As("lines")),
    ("mail_addresses.address", As("mail")),
    ("mail_addresses.player_id", As("mail")),
    (
        "mails.address",
        Not("to be sent, or sent within a day; `mail` has the address"),
    ),
    (
        "mails.player_id",
        Not("to be sent, or sent within a day; `mail` has the address"),
    ),
    ("match_notes.player_id", As("matches")),
    ("matches.seat1", As("matches")),
    ("matches.seat2", As("matches")),
    ("messages.player_id", As("messages")),
    (
        "mutes.muted_id",
        Not("the choice of another player, and nobody is told of it"),
    ),
    ("mutes.player_id", As("muted")),
    ("no_shows.player_id", As("no_shows")),
    (
        "notification_causes.player_id",
        Not("made a notification at once, which is in the document"),
    ),
    (
        "notification_switches.player_id",
        As("notification_switches"),
    ),
    (
        "notifications.other_id",
        Not("the opponent, whose name another player's notification reads"),
    ),
    ("notifications.player_id", As("notifications")),
    (
        "open_tables.accepted_address",
        Not("of the guest, kept while the match runs; `addresses` has those that are kept"),
    ),
    ("open_tables.address", As("tables")),
    ("open_tables.creator_id", As("tables")),
    ("operators.player_id", As("account")),
    (
        "passkey_challenges.player_id",
        Not("a question to a browser that is open for five minutes, deleted with its answer"),
    ),
    ("passkeys.player_id", As("passkeys")),
    (
        "password_resets.player_id",
        Not("a link that is open for an hour"),
    ),
    ("players.sanction_of", As("account")),
    ("playing.player_id", Not(OF_RUNNING)),
    ("presence.player_id", As("presence")),
    ("push_subscriptions.player_id", As("push_subscriptions")),
    (
        "pushes.player_id",
        Not("sent within seconds, and of the notifications that are in the document"),
    ),
    ("puzzle_ratings.player_id", As("puzzles")),
    ("puzzle_tries.player_id", As("puzzles")),
    (
        "puzzles_shown.address",
        Not("an address of no player, forgotten after two days"),
    ),
    (
        "quick_games.address",
        Not("forgotten with the quick game; `addresses` has those that are kept"),
    ),
    (
        "quick_games.player_id",
        Not("shown in the waiting room while the player is there, and deleted then"),
    ),
    ("rating_corrections.player_id", As("corrections")),
    ("rating_history.player_id", As("matches")),
    (
        "rating_history.same_address",
        Not("whether the opponent came from the same address, which is about the opponent, too"),
    ),
    ("ratings.player_id", As("ratings")),
    ("recovery_codes.player_id", As("account")),
    ("reports.reported_id", As("reported")),
    ("reports.reporter_id", As("reports")),
    ("results.opponent_id", Not(IN_MATCHES)),
    ("results.player_id", Not(IN_MATCHES)),
    ("sealed_moves.player_id", As("matches")),
    ("sessions.address", As("sessions")),
    ("sessions.player_id", As("sessions")),
    (
        "shared_addresses.first_id",
        Not("for operators, against abuse; forgotten after 30 days"),
    ),
    (
        "shared_addresses.player_id",
        Not("for operators, against abuse; forgotten after 30 days"),
    ),
    ("table_bans.player_id", As("kept_away")),
    ("table_seats.player_id", As("seats")),
    ("tallies.player_id", Not(IN_MATCHES)),
    ("time_away.player_id", Not(OF_RUNNING)),
    ("time_losses.player_id", As("time_losses")),
    ("time_zones.player_id", As("time_zone")),
    ("tokens.player_id", As("tokens")),
    (
        "tournament_acts.by_id",
        Not("an act on a tournament that the player had made, kept against disputes"),
    ),
    (
        "tournament_acts.player_id",
        Not("`tournaments` has the state that it led to"),
    ),
    (
        "tournament_entrants.address",
        Not("forgotten a day after the tournament; `addresses` has those that are kept"),
    ),
    ("tournament_entrants.player_id", As("tournaments")),
    ("tournament_reminders.player_id", As("tournaments")),
    (
        "tournament_series.ended_by",
        Not("an act of an operator, kept against disputes"),
    ),
    (
        "tournament_series.made_by",
        Not("an act of an operator, kept against disputes"),
    ),
    (
        "tournaments.address",
        Not("forgotten after a day; `addresses` has those that are kept"),
    ),
    ("tournaments.creator_id", As("tournaments")),
    ("vacations.player_id", As("vacation")),
];

#[tokio::test]
async fn every_column_about_players_is_exported_or_has_a_reason() {
    let app = TestApp::init().await;
    let found: Vec<String> = sqlx::query_scalar(
        "select k.table_name || '.' || k.column_name
         from information_schema.referential_constraints r
         join information_schema.key_column_usage k
             on k.constraint_schema = r.constraint_schema and k.constraint_name = r.constraint_name
         join information_schema.table_constraints t
             on t.constraint_schema = r.unique_constraint_schema and t.constraint_name = r.unique_constraint_name
         where t.table_name = 'players' and k.table_schema = 'public'
         union
         select c.table_name || '.' || c.column_name
         from information_schema.columns c
         join information_schema.tables t on t.table_schema = c.table_schema and t.table_name = c.table_name
         where c.table_schema = 'public' and t.table_type = 'BASE TABLE'
             and (c.column_name ~ '(player|opponent|operator|creator|user|account)_id$' or c.column_name ~ '(^|_)(address|ip)$')
         order by 1",
    )
    .fetch_all(&app.db)
    .await
    .unwrap();
    let written: Vec<&str> = COLUMNS.iter().map(|(column, _)| *column).collect();
    assert!(written.is_sorted());
    assert_eq!(found, written);
    let data = app.with_user("ann").await.get("/api/my_data").await;
    let data = data.assert_ok();
    for (column, kept) in COLUMNS {
        match kept {
            As(member) => assert!(data.get(member).is_some(), "{column}: no {member}"),
            Not(why) => assert!(why.len() > 20, "{column}"),
        }
    }
}

/// The columns of `players` itself: in `account`, or one of these.
#[tokio::test]
async fn every_column_of_an_account_is_exported_or_has_a_reason() {
    let app = TestApp::init().await;
    let reasons = BTreeMap::from([
        (
            "passkey_handle",
            "the number by which authenticators know the account",
        ),
        ("name_key", "the name in lower case"),
        ("name_skeleton", "the name by how it looks"),
        ("name_look", "the skeleton, for the release before"),
        ("password_hash", "a secret"),
        ("deleted_at", "a deleted account cannot sign in"),
        (
            "takes_clocks",
            "what the program of a bot said when it connected last",
        ),
    ]);
    let columns: Vec<String> = sqlx::query_scalar(
        "select column_name::text from information_schema.columns
         where table_schema = 'public' and table_name = 'players' order by 1",
    )
    .fetch_all(&app.db)
    .await
    .unwrap();
    let data = app.with_user("ann").await.get("/api/my_data").await;
    let account = data.assert_ok()["account"].clone();
    for column in columns {
        let member = match column.as_str() {
            "sanction_of" => "sanction_carried_over",
            column => column,
        };
        let exported = account.get(member).is_some();
        assert_ne!(
            exported,
            reasons.contains_key(member),
            "{column}: {account}"
        );
    }
}

#[tokio::test]
async fn addresses_corrections_tables_and_acts_are_exported() {
    let (app, boss) = with_operator().await;
    let (ann, bob) = app.with_two_users().await;
    let id = start_match(&ann, &bob, SMALL).await;
    ann.make_move(id, "1,1", &[]).await.assert_ok();
    bob.make_move(id, "2,2", &[]).await.assert_ok();
    bob.resign(id).await.assert_ok();
    let text = id.to_string();
    let form = [("match_id", text.as_str()), ("why", "arranged")];
    boss.post("/api/operator_annul", &form).await.assert_ok();
    let table = [("game", "dots"), ("name", "here")];
    ann.post("/api/open_table", &table).await.assert_ok();
    let _here = ann.join_lobby().await;

    let data = ann.get("/api/my_data").await.assert_ok();
    assert_eq!(data["addresses"][0]["address"], "127.0.0.1");
    let correction = &data["corrections"][0];
    assert_eq!(
        (
            &correction["match"],
            correction["before"].as_f64(),
            correction["after"].as_f64()
        ),
        (&json!(id), Some(1612.5), Some(1600.0))
    );
    assert_eq!(correction["read_at"], Value::Null);
    assert_eq!(data["matches"][0]["annulled"], true);
    assert_eq!(data["tables"][0]["name"], "here");
    assert_eq!(data["tables"][0]["address"], "127.0.0.1");
    assert_eq!(data["seats"][0]["table"], data["tables"][0]["id"]);
    assert_eq!(data["presence"][0]["place"], "lobby:dots");
    assert_eq!(data["acts"], json!([]));
    let data = boss.get("/api/my_data").await.assert_ok();
    assert_eq!(data["acts"][0]["act"], "annulled");
    assert!(data["account"]["operator_since"].is_i64());
}
