//! `tochki-client`, and its example bot: a game over a connection that breaks, without gap or repeat.

use super::app::{SMALL, TestApp, start_match, wait_until};
use super::lossy_proxy::LossyProxy;
use super::player::{PASSWORD, Player};
use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::time::Duration;
use tochki_client::play::{ClockRule, Event, OfferKind, Terms};
use tochki_client::protocol::{Code, LobbyEvent, MatchId, PersonalEvent, Scope, Status, TokenEnd};
use tochki_client::rules::{GameKind, Setup, dots};
use tochki_client::{
    Client, Error, LobbyStream, MatchStream, MatchUpdate, PasswordSession, PersonalStream,
};

async fn client(player: &Player, address: SocketAddr) -> Client {
    let token = player.create_token("read,play").await;
    Client::new(&format!("http://{address}/"), &token).expect("a client")
}

/// The example, whose `main` has nothing to do here.
#[expect(dead_code)]
#[path = "../../crates/client/examples/random_bot.rs"]
mod random_bot;

/// Returns the next event of a match, and its version.
async fn next_event(events: &mut MatchStream) -> (u32, Event) {
    loop {
        if let MatchUpdate::Event { version, event } = events.next().await.expect("a stream") {
            return (version, event);
        }
    }
}

/// Returns the next event of the personal stream that `choose` takes.
async fn next_personal<T>(
    events: &mut PersonalStream,
    choose: impl Fn(PersonalEvent) -> Option<T>,
) -> T {
    loop {
        if let Some(chosen) = choose(events.next().await.expect("a stream")) {
            return chosen;
        }
    }
}

/// Returns the next event of a waiting room that `choose` takes.
async fn next_in_room<T>(events: &mut LobbyStream, choose: impl Fn(LobbyEvent) -> Option<T>) -> T {
    loop {
        if let Some(chosen) = choose(events.next().await.expect("a stream")) {
            return chosen;
        }
    }
}

#[tokio::test]
async fn the_stream_of_a_waiting_room_tells_who_comes_and_goes_over_a_line_that_breaks() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let proxy = LossyProxy::before(app.address).await;
    let mut room = client(&ann, proxy.address)
        .await
        .lobby_events(GameKind::Boxes);
    let names = |event| match event {
        LobbyEvent::Snapshot(room) => Some(room.players),
        _ => None,
    };
    let first = next_in_room(&mut room, names).await;
    assert!(first.iter().all(|player| player.name == "ann"), "{first:?}");
    let bobs = bob.join_lobby_of("boxes").await;
    let joined = |event| match event {
        LobbyEvent::Joined(player) if player.name == "bob" => Some(player.id),
        _ => None,
    };
    let id = next_in_room(&mut room, joined).await;
    // Events behind a broken connection are in the snapshot with which the next one begins.
    proxy.cut();
    let again = next_in_room(&mut room, names).await;
    assert!(again.iter().any(|player| player.id == id), "{again:?}");
    drop(bobs);
    let left = |event| match event {
        LobbyEvent::Left(left) => Some(left.id),
        _ => None,
    };
    assert_eq!(next_in_room(&mut room, left).await, id);
    // A player who waits nowhere, or may not wait, is told so and not tried again.
    let token = ann.create_token("read").await;
    let reader = Client::new(&format!("http://{}", app.address), &token).unwrap();
    let refused = reader.lobby_events(GameKind::Dots).next().await;
    assert_eq!(refused.unwrap_err().code(), Some(Code::OutOfScope));
}

#[tokio::test]
async fn a_program_goes_from_nothing_to_the_account_of_a_bot() {
    let app = TestApp::init().await;
    let visitor = Client::visitor(&format!("http://{}", app.address)).unwrap();
    assert!(visitor.whoami().await.unwrap().is_none());
    let session = PasswordSession::register(&visitor, "robot", PASSWORD)
        .await
        .unwrap();
    assert_eq!(session.account().name, "robot");
    let taken = PasswordSession::register(&visitor, "robot", PASSWORD).await;
    assert_eq!(taken.unwrap_err().code(), Some(Code::NameTaken));
    let wrong = session.become_bot("wrong horse").await.unwrap_err();
    assert_eq!(wrong.code(), Some(Code::WrongPassword));
    session.become_bot(PASSWORD).await.unwrap();
    let scopes = [Scope::Read, Scope::Play];
    let token = session.create_token("first", &scopes, TokenEnd::Month, PASSWORD);
    let token = token.await.unwrap();
    let bot = session.client(&token);
    let account = bot.whoami().await.unwrap().expect("an account");
    assert_eq!(account.id, session.account().id);
    assert!(!format!("{session:?} {bot:?}").contains(&token.token));
    let mut events = bot.personal_events(&[GameKind::Dots]);
    assert!(matches!(
        events.next().await.unwrap(),
        PersonalEvent::Snapshot(_)
    ));
    let room = bot.waiting_room(GameKind::Dots).await.unwrap();
    let waiting = room.players.iter().find(|player| player.id == account.id);
    assert!(waiting.expect("it waits").bot);
    // The same account another time.
    let wrong = PasswordSession::sign_in(&visitor, "robot", "wrong horse").await;
    assert_eq!(wrong.unwrap_err().code(), Some(Code::BadCredentials));
    let again = PasswordSession::sign_in(&visitor, "robot", PASSWORD)
        .await
        .unwrap();
    let second = again.create_token("second", &[Scope::Read], TokenEnd::Never, PASSWORD);
    let reader = again.client(&second.await.unwrap());
    let refused = reader.make_move(MatchId(1), "0,0", None).await.unwrap_err();
    assert_eq!(refused.code(), Some(Code::OutOfScope));
}

#[tokio::test]
async fn a_client_that_has_used_up_its_requests_is_told_so() {
    let app = TestApp::with_settings(|settings| {
        settings.requests_by_token = NonZeroU32::new(5).unwrap();
    })
    .await;
    let ann = app.with_user("ann").await;
    let client = client(&ann, app.address).await;
    let ask = async |client: &Client| {
        let calls = (0..20).map(async |_| client.whoami().await);
        futures::future::join_all(calls).await
    };
    // It is told to come again in a second, and has no time for that.
    let hasty = client.clone().retry_for(Duration::from_millis(500));
    let refused = wait_until("a refusal", async || {
        ask(&hasty).await.into_iter().find_map(Result::err)
    });
    let refused = refused.await;
    assert!(matches!(refused, Error::Refused(_)), "{refused}");
    assert_eq!(refused.code(), Some(Code::TooManyRequests));
    for answer in ask(&client.retry_for(Duration::from_mins(5))).await {
        assert_eq!(answer.unwrap().expect("an account").name, "ann");
    }
}

#[tokio::test]
async fn two_clients_play_and_have_the_same_moves() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let (anns, bobs) = (
        client(&ann, app.address).await,
        client(&bob, app.address).await,
    );
    assert_eq!(anns.whoami().await.unwrap().unwrap().name, "ann");
    let (mut to_ann, mut to_bob) = (
        anns.personal_events(&[GameKind::Dots]),
        bobs.personal_events(&[GameKind::Dots, GameKind::Reversi]),
    );
    for events in [&mut to_ann, &mut to_bob] {
        let first = events.next().await.unwrap();
        assert!(matches!(first, PersonalEvent::Snapshot(_)), "{first:?}");
    }
    let room = anns.waiting_room(GameKind::Dots).await.unwrap();
    let bobs_id = room
        .players
        .iter()
        .find(|player| player.name == "bob")
        .unwrap()
        .id;
    let terms = Terms {
        setup: Setup::Dots(dots::Setup::new(5, 5, dots::Opening::Empty).unwrap()),
        clock: ClockRule::None,
        rated: false,
    };
    let sent = anns.challenge(bobs_id, &terms).await.unwrap();
    let twice = anns.challenge(bobs_id, &terms).await.unwrap_err();
    assert_eq!(twice.code(), Some(Code::AlreadyChallenging));
    let challenge = next_personal(&mut to_bob, |event| match event {
        PersonalEvent::Challenged(challenge) => Some(challenge),
        _ => None,
    });
    let challenge = challenge.await;
    assert_eq!((challenge.id, challenge.setup), (sent.id, terms.setup));
    let id = bobs.answer_challenge(challenge.id, true).await.unwrap();
    let id = id.match_id.unwrap();
    let asked = next_personal(&mut to_ann, |event| match event {
        PersonalEvent::YourMove(asked) => Some(asked.match_id),
        _ => None,
    });
    assert_eq!(asked.await, id);
    let refused = anns.make_move(id, "9,9", None).await.unwrap_err();
    assert_eq!(refused.code(), Some(Code::Illegal));
    anns.make_move(id, "0,0", Some(0)).await.unwrap();
    bobs.make_move(id, "4,4", Some(1)).await.unwrap();
    let offered = anns.offer(id, OfferKind::Draw).await.unwrap();
    bobs.answer_offer(id, true, offered.version).await.unwrap();
    let end = anns.snapshot(id).await.unwrap();
    assert_eq!(end.status, Status::Finished);
    let again = anns.resign(id).await.unwrap_err();
    assert_eq!(again.code(), Some(Code::Finished));
}

#[tokio::test]
async fn a_line_that_is_cut_loses_and_repeats_nothing() {
    let app = TestApp::init().await;
    let (ann, bob) = app.with_two_users().await;
    let id = start_match(&ann, &bob, SMALL).await;
    let proxy = LossyProxy::before(app.address).await;
    let anns = client(&ann, proxy.address).await;
    let bobs = client(&bob, app.address).await;
    let id = MatchId(id);
    let mut events = anns.match_events(id, 0);
    let mut seen = Vec::new();
    for number in 0..10_u32 {
        let mv = format!("{},{}", number % 5, number / 5);
        if number % 2 == 0 {
            // The server makes the move, and the client is not told. It asks again under the same name.
            proxy.lose_answer();
            let made = anns.make_move(id, &mv, Some(number)).await.unwrap();
            assert_eq!((made.version, proxy.to_lose()), (number + 1, 0));
        } else {
            proxy.cut();
            bobs.make_move(id, &mv, Some(number)).await.unwrap();
        }
        // Every other time something has happened that was not read yet.
        if number % 3 == 2 {
            while seen.last().is_none_or(|last| *last < number + 1) {
                seen.push(next_event(&mut events).await.0);
            }
        }
    }
    anns.resign(id).await.unwrap();
    while seen.last().is_none_or(|last| *last < 11) {
        seen.push(next_event(&mut events).await.0);
    }
    assert_eq!(seen, (1..=11).collect::<Vec<_>>());
    let moves = app.visitor().snapshot(id.0).await["moves"].clone();
    assert_eq!(moves.as_array().unwrap().len(), 10);
    // A stream that begins in the middle gets the rest.
    let mut rest = anns.match_events(id, 9);
    assert_eq!(next_event(&mut rest).await.0, 10);
    // A match that is not as far as the client thinks is told as it stands.
    let mut ahead = anns.match_events(id, 99);
    let update = ahead.next().await.unwrap();
    assert!(
        matches!(&update, MatchUpdate::Snapshot(now) if now.version == 11),
        "{update:?}"
    );
}

#[tokio::test]
async fn a_server_that_is_away_is_tried_again_for_a_while() {
    let app = TestApp::init().await;
    let ann = app.with_user("ann").await;
    let proxy = LossyProxy::before("127.0.0.1:1".parse().unwrap()).await;
    let away = client(&ann, app.address).await;
    assert!(away.whoami().await.is_ok());
    let token = ann.create_token("read").await;
    let away = Client::new(&format!("http://{}", proxy.address), &token).unwrap();
    let away = away.retry_for(Duration::from_millis(300));
    let error = away.whoami().await.unwrap_err();
    assert!(matches!(error, tochki_client::Error::Lost(_)), "{error}");
    // A call that may have been executed is not repeated, and a wrong token is told at once.
    let wrong = Client::new(&format!("http://{}", app.address), "tochki_wrong").unwrap();
    assert_eq!(
        wrong.whoami().await.unwrap_err().code(),
        Some(Code::BadToken)
    );
}

#[tokio::test]
async fn the_example_bot_plays_a_game_of_each_kind() {
    let app = TestApp::init().await;
    let (ann, robot) = (app.with_user("ann").await, app.with_user("robot").await);
    robot
        .post("/api/become_bot", &[("password", PASSWORD)])
        .await
        .assert_ok();
    let bot = tokio::spawn(random_bot::run(client(&robot, app.address).await));
    for &game in GameKind::ALL {
        let mut room = ann.join_lobby_of(game.id()).await;
        wait_until("the bot in the room", async || {
            let room = ann.get(&format!("/api/waiting_room?game={game}")).await;
            room.text.contains("robot").then_some(())
        })
        .await;
        ann.challenge_to(game.id(), &robot, &[]).await.assert_ok();
        let id = room.next_named("match_started").await["match"].as_i64();
        let id = id.unwrap();
        let mut events = ann.stream(&format!("/events/match/{id}")).await;
        let first = match game {
            GameKind::Dots | GameKind::Gomoku => "0,4",
            GameKind::Boxes => "h:0,0",
            GameKind::Reversi => "e6",
        };
        ann.make_move(id, first, &[]).await.assert_ok();
        for seat in [1, 2] {
            assert_eq!(events.expect("moved").await["seat"], seat);
        }
        ann.resign(id).await.assert_ok();
    }
    assert!(!bot.is_finished(), "it goes on waiting");
}
