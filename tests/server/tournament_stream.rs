//! The stream of a tournament, the call of a player who is paired, and standings with an `ETag`.

use super::app::TestApp;
use super::player::send;
use super::tournament_steps::{
    account, arena, begin, join, make, next, pass, play, players, wait_for_pairings,
};
use reqwest::Method;
use serde_json::Value;
use tochki_protocol::TournamentState;

#[tokio::test]
async fn what_happens_in_an_arena_is_told_to_who_watches() {
    let app = TestApp::init().await;
    let players = players(&app, &["ann", "bob"]).await;
    let [ann, bob] = players
        .values()
        .collect::<Vec<_>>()
        .try_into()
        .ok()
        .unwrap();
    let id = make(&app, ann, arena()).await;
    let visitor = app.visitor();
    let mut stream = visitor.stream(&format!("/events/tournament/{id}")).await;
    let snapshot = stream.next_named("snapshot").await;
    assert_eq!(
        (&snapshot["id"], &snapshot["state"]),
        (&Value::from(id.0), &"open".into())
    );
    let standings = stream.next_named("standings").await;
    assert_eq!(standings["top"], Value::Array(Vec::new()));
    let mut shared = visitor
        .stream(&format!("/events?topics=tournament:{id}"))
        .await;
    shared.next_named("snapshot").await;

    // The first events of a feed are the tournament as it is.
    next(&mut stream, "standings", |_| true).await;
    join(&app, ann, id).await.unwrap();
    assert_eq!(stream.next_named("joined").await["player"]["name"], "ann");
    let top = next(&mut stream, "standings", |event| event["players"] == 1).await;
    assert_eq!(top["top"][0]["player"]["name"], "ann");
    join(&app, bob, id).await.unwrap();
    assert_eq!(stream.next_named("joined").await["player"]["name"], "bob");
    app.state
        .tournaments
        .leave(&account(bob), id)
        .await
        .unwrap();
    assert_eq!(stream.next_named("left").await["player"]["name"], "bob");
    join(&app, bob, id).await.unwrap();

    let mut own = ann.stream("/events/me").await;
    begin(&app, id).await;
    next(&mut stream, "snapshot", |event| event["state"] == "running").await;
    pass(&app, id, 5).await;
    let paired = stream.next_named("paired").await;
    let pair = wait_for_pairings(&app, id, 1).await[0];
    assert_eq!(paired["match"], pair.0);
    assert_eq!(paired["players"][0]["id"], pair.1[0]);
    own.next_named("match_started").await;
    let called = own.next_named("paired").await;
    assert_eq!(
        (&called["tournament"], &called["match"]),
        (&id.0.into(), &pair.0.into())
    );
    assert_eq!(shared.next_named("paired").await["match"], pair.0);

    play(&players, pair, pair.1[0]).await;
    let result = stream.next_named("result").await;
    assert_eq!(
        (&result["match"], &result["winner"]),
        (&pair.0.into(), &2.into())
    );
    let top = next(&mut stream, "standings", |event| {
        event["top"][0]["score"] == 2
    })
    .await;
    assert_eq!(top["top"][0]["player"]["id"], pair.1[1]);
    pass(&app, id, 20 * 60).await;
    next(&mut stream, "snapshot", |event| {
        event["state"] == "finished"
    })
    .await;
    assert_eq!(stream.next_named("finished").await["id"], id.0);
    let state = app.state.tournaments.get(id).await.unwrap().state;
    assert_eq!(state, TournamentState::Finished);
    let missing = visitor.get("/events/tournament/0").await;
    missing.assert_error(404, "no_such_tournament");
}

#[tokio::test]
async fn standings_are_sent_again_when_they_have_changed() {
    let app = TestApp::init().await;
    let players = players(&app, &["ann", "bob"]).await;
    let ann = players.values().next().unwrap();
    let id = make(&app, ann, arena()).await;
    join(&app, ann, id).await.unwrap();
    let visitor = app.visitor();
    let path = format!("/api/tournament_standings?id={id}");
    let first = visitor.get(&path).await;
    assert_eq!(first.assert_ok()["players"], 1);
    let standings = app.state.tournaments.standings(id, 0).await.unwrap();
    assert_eq!(first.json(), serde_json::to_value(standings).unwrap());
    let missing = visitor.get(&format!("{path}&page=1")).await;
    missing.assert_error(400, "invalid_page");
    let tag = first.header("etag").expect("a tag").to_owned();
    let again = async |tag: &str| {
        let request = visitor.request(Method::GET, &path);
        send(request.header("if-none-match", tag)).await
    };
    assert_eq!(again(&tag).await.status, 304);
    join(&app, &players[players.keys().nth(1).unwrap()], id)
        .await
        .unwrap();
    let changed = again(&tag).await;
    assert_eq!(changed.assert_ok()["players"], 2);
    assert_ne!(changed.header("etag"), Some(&*tag));
}
