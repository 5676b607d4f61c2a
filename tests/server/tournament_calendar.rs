//! The calendar of tournaments, which other programs subscribe to.

use super::app::{TestApp, wait_until};
use super::player::{Response, Visitor, send};
use super::tournament_steps::{arena, make, swiss};
use reqwest::Method;
use tochki_protocol::TournamentId;
use tochki_server::tournaments::NewTournament;

/// Returns the lines of the event of a tournament, put together again where they were folded.
fn event(answer: &Response, id: TournamentId) -> Option<Vec<String>> {
    let whole = answer.text.replace("\r\n ", "");
    let events = whole.split("BEGIN:VEVENT\r\n").skip(1);
    let mut events = events.map(|event| event.lines().map(str::to_owned).collect::<Vec<_>>());
    events.find(|lines| {
        let uid = format!("UID:tournament-{id}@");
        lines.iter().any(|line| line.starts_with(&uid))
    })
}

/// Reads the calendar until the event of a tournament has this line: an instance keeps it for a moment.
async fn event_with(visitor: &Visitor, id: TournamentId, line: &str) -> Vec<String> {
    wait_until(line, async || {
        let answer = visitor.get("/tournaments.ics").await;
        event(&answer, id).filter(|lines| lines.iter().any(|has| has == line))
    })
    .await
}

#[tokio::test]
async fn programs_subscribe_to_tournaments_and_see_what_becomes_of_them() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    let named = NewTournament {
        name: "Dots; all, welcome".into(),
        ..arena()
    };
    let id = make(&app, &ann, named).await;
    let rounds = make(&app, &ann, swiss(None)).await;
    let visitor = app.visitor();
    let answer = visitor.get("/tournaments.ics?game=dots").await;
    assert_eq!(answer.status, 200);
    assert_eq!(
        answer.header("content-type"),
        Some("text/calendar; charset=utf-8")
    );
    let lines = event(&answer, id).expect("the arena");
    let has = |line: &str| lines.iter().any(|has| has == line);
    assert!(has(r"SUMMARY:Dots\; all\, welcome"), "{lines:?}");
    assert!(has(r"DESCRIPTION:Everybody is welcome.\nBring dots."));
    assert!(has("SEQUENCE:0") && has("STATUS:CONFIRMED"));
    let url = lines.iter().find(|line| line.starts_with("URL:"));
    assert!(url.unwrap().ends_with(&format!("/tournament/{id}")));
    // How long rounds last nobody knows.
    let of_rounds = event(&answer, rounds).expect("the Swiss");
    let hour = |name: &str| {
        let mut lines = of_rounds.iter();
        let time = lines.find_map(|line| line.strip_prefix(name)).unwrap();
        time[9..11].parse::<u32>().unwrap()
    };
    assert_eq!((hour("DTSTART:") + 2) % 24, hour("DTEND:"));
    let others = visitor.get("/tournaments.ics?game=gomoku").await;
    assert_eq!(event(&others, id), None);
    let wrong = visitor.get("/tournaments.ics?game=chess").await;
    assert_eq!(wrong.code().as_deref(), Some("unknown_game"));

    // Who has it already gets nothing again.
    let tag = answer.header("etag").expect("a tag").to_owned();
    let again = visitor
        .request(Method::GET, "/tournaments.ics?game=dots")
        .header("if-none-match", &tag);
    let again = send(again).await;
    assert_eq!((again.status, again.text.as_str()), (304, ""));
    assert_eq!(again.header("etag"), Some(&*tag));

    // The start moves, then it is cancelled: each is a revision of the same event.
    sqlx::query("update tournaments set starts_at = starts_at + interval '1 day' where id = $1")
        .bind(id.0)
        .execute(&app.db)
        .await
        .unwrap();
    let moved = event_with(&visitor, id, "SEQUENCE:1").await;
    assert!(moved.iter().any(|line| line == "STATUS:CONFIRMED"));
    let number = id.to_string();
    let form = [("id", &*number)];
    let cancelled = ann.post("/api/cancel_tournament", &form).await;
    cancelled.assert_ok();
    let gone = event_with(&visitor, id, "STATUS:CANCELLED").await;
    assert!(gone.iter().any(|line| line == "SEQUENCE:2"), "{gone:?}");
    let changed = visitor.get("/tournaments.ics?game=dots").await;
    assert_ne!(changed.header("etag"), Some(&*tag));

    // A month later it is forgotten.
    sqlx::query("update tournaments set finished_at = now() - interval '31 days' where id = $1")
        .bind(id.0)
        .execute(&app.db)
        .await
        .unwrap();
    wait_until("a calendar without it", async || {
        let answer = visitor.get("/tournaments.ics").await;
        event(&answer, id).is_none().then_some(())
    })
    .await;
}

#[tokio::test]
async fn the_name_of_who_is_muted_is_in_no_calendar() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    let id = make(&app, &ann, arena()).await;
    sqlx::query("update players set muted_until = now() + interval '1 hour' where id = $1")
        .bind(ann.id)
        .execute(&app.db)
        .await
        .unwrap();
    let answer = app.visitor().get("/tournaments.ics").await;
    let lines = event(&answer, id).expect("the arena");
    let plain = format!("SUMMARY:Arena {id}");
    assert!(lines.contains(&plain), "{lines:?}");
    assert!(!answer.text.contains("Evening"));
}
