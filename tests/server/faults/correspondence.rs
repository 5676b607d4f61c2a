//! The real program, killed amid what it does by itself in matches by correspondence: between a deadline and its notice, between a
//! push and its mark, between the two events of a conditional answer. Nothing is lost, and nothing happens twice.

use crate::app::{BEGUN, SMALL, backdate_match, begin, wait_until, wait_until_blocked};
use crate::cluster::Database;
use crate::fault_table::{Cost, print_row};
use crate::player::Player;
use crate::process::Server;
use crate::push_service::{Answer, PushService};
use serde_json::Value;
use sqlx::{PgPool, Postgres, Transaction};
use std::time::Duration;
use tokio::time::Instant;

const FOUR_DAYS_S: i32 = 4 * 86_400;

/// A match of three days a move on a server of its own, in which each player has made a move and the first is on turn.
struct Game {
    server: Server,
    first: Player,
    second: Player,
    id: i64,
    /// The moves that the server has acknowledged.
    moves: Vec<&'static str>,
}

impl Game {
    async fn start() -> Self {
        let contact = vec![("CONTACT", "operator@tochki.example".to_owned())];
        let server = Server::start_with_settings(Database::fresh().await, contact).await;
        let (ann, bob) = (server.with_user("ann").await, server.with_user("bob").await);
        let form = [("setup", SMALL), ("clock", "3d")];
        let challenge = ann.challenge(&bob, &form).await.id("id");
        let id = bob.answer_challenge(challenge, true).await.id("match");
        begin(&ann, &bob, id).await;
        let is_ann_first = ann.snapshot(id).await["players"][0]["id"] == ann.id;
        let (first, second) = if is_ann_first { (ann, bob) } else { (bob, ann) };
        Self {
            server,
            first,
            second,
            id,
            moves: vec!["0,4", "4,0"],
        }
    }

    /// Makes a move by the player on turn, who gets it acknowledged.
    async fn make_move(&mut self, mv: &'static str) {
        let players = [&self.first, &self.second];
        let mover = players[self.moves.len() % 2];
        mover.make_move(self.id, mv, &[]).await.assert_ok();
        self.moves.push(mv);
    }

    /// Prints the row of a fault: the acknowledged moves are there, and the match has ended as it had to or goes on.
    async fn end(&self, fault: &str, more: &[&str], is_over: bool, whole: Duration) {
        let snapshot = self.first.snapshot(self.id).await;
        let kept: Vec<String> = serde_json::from_value(snapshot["moves"].clone()).expect("moves");
        let lost = self.moves.iter().zip(&kept).filter(|(mv, kept)| mv != kept);
        let missing = self.moves.len().saturating_sub(kept.len());
        let is_finished = snapshot["status"] == "finished";
        let cost = Cost {
            acknowledged: self.moves.len(),
            lost: lost.count() + missing,
            wrongly_lost: usize::from(is_finished != is_over),
        };
        print_row(fault, cost, whole);
        assert_eq!((cost.lost, cost.wrongly_lost), (0, 0), "{snapshot}");
        assert_eq!(kept, [&self.moves, more].concat(), "nothing twice");
    }
}

/// Locks what a statement says, until the transaction ends.
async fn hold(db: &PgPool, statement: &'static str) -> Transaction<'static, Postgres> {
    let mut held = db.begin().await.expect("a transaction");
    sqlx::query(statement)
        .execute(&mut *held)
        .await
        .expect("a lock");
    held
}

/// Returns what a statement counts.
async fn count(db: &PgPool, statement: &'static str) -> i64 {
    sqlx::query_scalar(statement)
        .fetch_one(db)
        .await
        .expect("a count")
}

const EVENTS: &str = "select count(*) from match_events";
const LEFT: &str =
    "select (select count(*) from notification_causes) + (select count(*) from pushes)";

#[tokio::test]
async fn a_kill_between_a_deadline_and_its_notice_loses_neither() {
    let mut game = Game::start().await;
    game.server.kill().await;
    backdate_match(&game.server.db, game.id, FOUR_DAYS_S).await;
    // The match ends, and its notices wait.
    let held = hold(
        &game.server.db,
        "lock table notifications in exclusive mode",
    )
    .await;
    game.server.restart().await;
    wait_until("the end of the match", async || {
        let ended = "select count(*) from matches where finished_at is not null";
        (count(&game.server.db, ended).await == 1).then_some(())
    })
    .await;
    wait_until_blocked(&game.server.db, 1).await;
    game.server.kill().await;
    held.rollback().await.expect("the end of the lock");
    let events = count(&game.server.db, EVENTS).await;

    let killed = Instant::now();
    game.server.restart().await;
    wait_until("the notices", async || {
        (count(&game.server.db, LEFT).await == 0).then_some(())
    })
    .await;
    let whole = killed.elapsed();
    for player in [&game.first, &game.second] {
        let told = player.get("/api/notifications").await.assert_ok();
        let told = told["notifications"].as_array().expect("a list").clone();
        let of_end = |notice: &&Value| notice["kind"] == "game_over";
        assert_eq!(told.iter().filter(of_end).count(), 1, "{told:?}");
    }
    assert_eq!(count(&game.server.db, EVENTS).await, events, "one end");
    let fault = "killed between a deadline and its notice";
    game.end(fault, &[], true, whole).await;
}

#[tokio::test]
async fn a_kill_between_a_push_and_its_mark_shows_one_notification() {
    let mut game = Game::start().await;
    let service = PushService::start().await;
    let browser = service.browser("first");
    wait_until("earlier notices", async || {
        (count(&game.server.db, LEFT).await == 0).then_some(())
    })
    .await;
    game.first.subscribe(&browser).await.assert_ok();
    game.make_move("1,1").await;
    // The service has the push, and the server does not know.
    service.answer([Answer::Silence]);
    game.make_move("2,2").await;
    wait_until("the push", async || {
        (service.requests().len() == 1).then_some(())
    })
    .await;
    game.server.kill().await;

    let killed = Instant::now();
    game.server.restart().await;
    wait_until("the push again", async || {
        // Instead of waiting for the end of the claim.
        sqlx::query("update pushes set due_at = now()")
            .execute(&game.server.db)
            .await
            .expect("updated");
        (service.requests().len() == 2).then_some(())
    })
    .await;
    wait_until("its mark", async || {
        (count(&game.server.db, LEFT).await == 0).then_some(())
    })
    .await;
    let whole = killed.elapsed();
    // The push service and the browser put the second in the place of the first.
    let [one, other] = &service.requests()[..] else {
        panic!("two pushes")
    };
    assert_eq!(one.header("topic"), other.header("topic"));
    assert_eq!(browser.read(one), browser.read(other));
    let fault = "killed between a push and its mark";
    game.end(fault, &[], false, whole).await;
}

#[tokio::test]
async fn a_kill_between_the_events_of_a_conditional_answer_makes_it_once() {
    let mut game = Game::start().await;
    game.make_move("1,1").await;
    let id = game.id.to_string();
    let form = [("match_id", &*id), ("tree", "2,2 3,3")];
    game.first
        .post("/api/conditional_moves", &form)
        .await
        .assert_ok();
    game.make_move("2,2").await;
    // Before the answer has begun, and then while it is being stored.
    game.server.kill().await;
    let made = i64::from(BEGUN) + 2;
    assert_eq!(count(&game.server.db, EVENTS).await, made);
    let due = "select count(*) from conditional_moves where due_at is not null";
    assert_eq!(count(&game.server.db, due).await, 1);
    sqlx::query("update conditional_moves set due_at = now()")
        .execute(&game.server.db)
        .await
        .expect("updated");
    let held = hold(&game.server.db, "select from matches for update").await;
    game.server.restart().await;
    wait_until_blocked(&game.server.db, 1).await;
    game.server.kill().await;
    held.rollback().await.expect("the end of the lock");
    assert_eq!(count(&game.server.db, EVENTS).await, made);

    let killed = Instant::now();
    game.server.restart().await;
    wait_until("the answer", async || {
        (count(&game.server.db, EVENTS).await > made).then_some(())
    })
    .await;
    let whole = killed.elapsed();
    // Killed before its line was marked as done, it is due once more.
    game.server.kill().await;
    sqlx::query("update conditional_moves set due_at = now()")
        .execute(&game.server.db)
        .await
        .expect("updated");
    game.server.restart().await;
    wait_until("the end of the line", async || {
        (count(&game.server.db, due).await == 0).then_some(())
    })
    .await;
    assert_eq!(count(&game.server.db, EVENTS).await, made + 1);
    let fault = "killed between the two events of a conditional answer";
    game.end(fault, &["3,3"], false, whole).await;
}
