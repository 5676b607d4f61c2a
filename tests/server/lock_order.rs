//! Transactions of every kind that lock rows of several tables, crossing on two instances: none waits for another for ever.

use super::app::{SMALL, TestApp, begin};
use super::player::Player;
use futures::future::join_all;

/// The number of times that each transaction crosses the others.
const ROUNDS: usize = 12;

/// Lets both challenge each other at once; the match that starts is played, aborted or offered again.
async fn cross_challenges(ann: &Player, bob: &Player, operator: &Player) {
    for round in 0..ROUNDS {
        let _waiting = tokio::join!(ann.join_lobby(), bob.join_lobby());
        let is_rated = round % 3 == 0;
        let terms = [
            ("setup", SMALL),
            ("rated", if is_rated { "true" } else { "false" }),
        ];
        let (hers, his) = tokio::join!(ann.challenge(bob, &terms), bob.challenge(ann, &terms));
        let started = [hers, his]
            .into_iter()
            .find_map(|answer| answer.json()["match"].as_i64());
        let Some(id) = started else { continue };
        if is_rated {
            begin(ann, bob, id).await;
            ann.resign(id).await.assert_ok();
            let id_text = id.to_string();
            let form = [("match_id", &*id_text)];
            let annulment = operator.post("/api/operator_annul", &form);
            // The rematch starts, or not, while ratings are given back.
            let ((), _) = tokio::join!(
                async {
                    tokio::join!(ann.request_rematch(id), bob.request_rematch(id));
                },
                annulment
            );
            for player in [ann, bob] {
                let running = player.get("/api/my_match").await.json();
                if let Some(next) = running["match"].as_i64() {
                    player.abort(next).await;
                }
            }
        } else {
            tokio::join!(ann.abort(id), bob.abort(id));
        }
    }
}

/// Lets a player open tables and another sit down; both are ready or leave at once.
async fn cross_tables(cid: &Player, dan: &Player) {
    for round in 0..ROUNDS {
        let Some(table) = Some(cid.open_table(&[]).await).filter(|answer| answer.status == 200)
        else {
            continue;
        };
        let table = table.json();
        dan.sit(&table).await;
        if round % 2 == 0 {
            tokio::join!(cid.set_ready(&table, true), dan.set_ready(&table, true));
            let running = cid.get("/api/my_match").await.json();
            if let Some(id) = running["match"].as_i64() {
                tokio::join!(cid.abort(id), dan.abort(id));
            }
        } else {
            tokio::join!(cid.stand_up(&table), dan.set_ready(&table, true));
            dan.stand_up(&table).await;
        }
    }
}

/// Opens and closes streams, so that presence is written, expires, and absences begin and end.
async fn cross_streams(players: &[&Player]) {
    for _ in 0..ROUNDS {
        join_all(players.iter().map(async |player| {
            drop(player.join_lobby_of("gomoku").await);
            drop(player.stream("/events/me").await);
        }))
        .await;
    }
}

#[tokio::test]
async fn crossing_transactions_do_not_deadlock() {
    let app = TestApp::init().await;
    let there = app.another_instance().await;
    let (ann, bob) = app.with_two_users().await;
    let (cid, dan) = (app.with_user("cid").await, app.with_user("dan").await);
    let operator = app.with_operator("boss").await;
    let (bob, dan) = (
        bob.at_instance(there.address),
        dan.at_instance(there.address),
    );
    let everybody = [&ann, &bob, &cid, &dan, &operator];
    tokio::join!(
        cross_challenges(&ann, &bob, &operator),
        cross_tables(&cid, &dan),
        cross_streams(&everybody),
        async {
            // The two pairs cross each other, too.
            for _ in 0..ROUNDS {
                let (hers, his) = tokio::join!(ann.challenge(&cid, &[]), dan.challenge(&bob, &[]));
                for answer in [hers, his] {
                    assert!(answer.status < 500, "{answer:?}");
                }
            }
        },
    );
    let deadlocks: i64 = sqlx::query_scalar(
        "select deadlocks from pg_stat_database where datname = current_database()",
    )
    .fetch_one(&app.db)
    .await
    .unwrap();
    assert_eq!(deadlocks, 0);
}
