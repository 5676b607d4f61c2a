//! The session in `docs/line.md`, replayed line by line.

use super::app::TestApp;
use super::line_client::{Line, start};
use super::line_lost::wait_until_lost;
use std::collections::BTreeMap;

const DOCUMENT: &str = include_str!("../../docs/line.md");

/// Returns the lines of the session.
fn session() -> Vec<&'static str> {
    let (_, after) = DOCUMENT.split_once("## A session").expect("a session");
    let mut blocks = after.split("```");
    blocks.nth(1).expect("a block").trim().lines().collect()
}

/// Replays the session. False if the other player was drawn to begin, which the document cannot know.
async fn replay(app: &TestApp) -> bool {
    let mut lines: BTreeMap<&str, Line> = BTreeMap::new();
    let mut drawn = false;
    for step in session() {
        let (name, rest) = step.split_once(' ').expect("who does what");
        if rest == "closes" {
            lines.remove(name);
            continue;
        }
        let (direction, text) = rest.split_once(' ').expect("what is said");
        if !lines.contains_key(name) {
            lines.insert(name, Line::connect(app).await);
        }
        let line = lines.get_mut(name).expect("it is connected");
        if direction == ">" {
            line.send(text);
            continue;
        }
        let heard = line.next().await;
        if !drawn && text == "ON_TURN" {
            drawn = true;
            if heard.as_deref() == Some("OP_TURN") {
                line.ask("LEAVE", "OK").await;
                let names: Vec<&str> = lines.keys().copied().collect();
                lines.clear();
                for name in names {
                    wait_until_lost(app, name).await;
                }
                return false;
            }
        }
        assert_eq!(heard.as_deref(), Some(text), "{step}");
    }
    assert!(drawn);
    true
}

#[tokio::test]
async fn documented_session_is_what_the_server_answers() {
    let app = start().await;
    assert!(session().len() > 60);
    // Each time the seats are drawn; the same twenty times in a row is one in a million.
    for _ in 0..20 {
        if replay(&app).await {
            return;
        }
    }
    panic!("bob never begins");
}
