//! Strangers at the address of a player of a running match, whatever they do and on whichever route: the player still has the
//! page of the match, a stream, a move and a sign-in. The routes are those of the router, so none can be added without this test.

use super::app::{SMALL, TestApp, begin, start_match, wait_until};
use super::bodies::{address, all_routes};
use super::permissions;
use super::player::{PASSWORD, Player, Visitor, send, try_open};
use futures::future::join_all;
use reqwest::Method;
use std::net::SocketAddr;
use std::num::NonZeroU32;
use tochki_server::settings::Settings;
use tochki_web::http::ListedRoute;
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;

/// Starts a server on which an address has little of everything.
async fn app(requests: u32) -> TestApp {
    let few = |count| NonZeroU32::new(count).expect("not zero");
    TestApp::with_settings(|settings: &mut Settings| {
        settings.requests_by_address = few(requests);
        settings.pages_by_address = few(requests);
        settings.requests_at_once_by_address = few(4);
        settings.connections_by_address = few(12);
        settings.streams_by_address = few(4);
        settings.streams_by_session = few(2);
        settings.sign_in_by_address = few(4);
        settings.sign_in_by_name = few(2);
        settings.guests_by_address = few(4);
        settings.registrations_by_address = few(8);
        settings.messages_by_address = few(4);
        settings.tables_by_address = few(2);
    })
    .await
}

/// Returns the arguments that a stranger sends, about the player and the match.
fn arguments(route: &ListedRoute, player: &Player, id: i64) -> String {
    let endpoint = format!("{} {}", route.method, route.path);
    let mut arguments = permissions::arguments_of(&endpoint).to_owned();
    for (placeholder, value) in [
        ("{match}", id.to_string()),
        ("{player}", player.id.to_string()),
        ("{name}", player.name.clone()),
        ("{fresh}", player.name.clone()),
    ] {
        arguments = arguments.replace(placeholder, &value);
    }
    // Of what else there is none is the stranger's.
    while let Some(start) = arguments.find('{') {
        let end = arguments[start..].find('}').expect("a placeholder");
        arguments.replace_range(start..=start + end, "1");
    }
    arguments
}

/// Asks for a route until that is too often, at most so many times. The streams that open stay open.
async fn hammer(
    stranger: &Visitor,
    route: &ListedRoute,
    arguments: &str,
    times: usize,
) -> Vec<reqwest::Response> {
    let mut streams = Vec::new();
    for _ in 0..times {
        let path = address(route);
        let request = if route.method == Method::GET {
            stranger.request(Method::GET, &format!("{path}?{arguments}"))
        } else {
            let form = stranger.request(route.method.clone(), &path);
            let form = form.header("content-type", "application/x-www-form-urlencoded");
            form.body(arguments.to_owned())
        };
        // Its own connections may be too many as well.
        let Ok(answer) = request.send().await else {
            break;
        };
        if answer.status().as_u16() == 429 {
            break;
        }
        let kind = answer.headers().get("content-type");
        if kind.is_some_and(|kind| kind == "text/event-stream") {
            streams.push(answer);
        }
    }
    streams
}

/// Opens connections, some of which have sent half a request.
async fn connect(to: SocketAddr, count: usize) -> Vec<TcpStream> {
    let begun: [&[u8]; 3] = [
        b"",
        b"GET / HTTP/1.1\r\nHost: here\r\n",
        b"POST /api/login HTTP/1.1\r\nHost: here\r\nContent-Length: 99\r\n\r\nname=",
    ];
    join_all((0..count).map(async |number| {
        let mut connection = TcpStream::connect(to).await.expect("a connection");
        let _ = connection.write_all(begun[number % begun.len()]).await;
        connection
    }))
    .await
}

/// Returns the player's browser without its session: it is known, because the player has been signed in there.
fn known_browser(player: &Player) -> String {
    let cookies = player.cookies();
    let device = cookies.split("; ").find(|pair| pair.starts_with("device="));
    device.expect("a known browser").to_owned()
}

/// Checks that the player can go on with the match.
async fn assert_has_room(app: &TestApp, player: &Player, id: i64, mv: &str) {
    let page = player.get(&format!("/match/{id}")).await;
    assert_eq!(page.status, 200, "{}", page.text);
    let stream = try_open(player.request(Method::GET, &format!("/events/match/{id}"))).await;
    let _stream = stream.expect("a stream");
    player.make_move(id, mv, &[]).await.assert_ok();
    let form = [("name", player.name.as_str()), ("password", PASSWORD)];
    let signing_in = app.visitor().post_request("/api/login").form(&form);
    send(signing_in.header("cookie", known_browser(player)))
        .await
        .assert_ok();
}

/// Lets strangers, with an account and without, ask for all routes. Then each player still plays.
async fn check(requests: u32, times: usize) {
    let app = app(requests).await;
    let (ann, bob) = app.with_two_users().await;
    let eve = app.with_user("eve").await;
    let id = start_match(&ann, &bob, SMALL).await;
    begin(&ann, &bob, id).await;
    let visitor = app.visitor();
    let mut streams = Vec::new();
    for route in all_routes(&app) {
        let arguments = arguments(&route, &ann, id);
        streams.extend(hammer(&visitor, &route, &arguments, times).await);
        if route.path != "/api/logout" {
            streams.extend(hammer(&eve, &route, &arguments, times).await);
        }
    }
    let _connections = connect(app.address, 40).await;
    assert_has_room(&app, &ann, id, "1,1").await;
    assert_has_room(&app, &bob, id, "3,3").await;
}

#[tokio::test]
async fn what_strangers_do_on_any_route_leaves_a_player_room() {
    // Few requests in all, so that whatever comes is too much; then so many that each route meets its own limits.
    check(20, 40).await;
    check(100_000, 6).await;
}

#[tokio::test]
async fn connections_of_strangers_leave_a_player_room() {
    let app = TestApp::with_settings(|settings| {
        settings.connections_by_address = NonZeroU32::new(5).expect("not zero");
    })
    .await;
    let (ann, bob) = app.with_two_users().await;
    let carol = app.with_user("carol").await;
    let id = start_match(&ann, &bob, SMALL).await;
    begin(&ann, &bob, id).await;
    let strangers = connect(app.address, 60).await;
    assert_has_room(&app, &ann, id, "1,1").await;
    // Neither who plays nobody nor a stranger has any of it.
    wait_until("carol to be refused", async || {
        let request = carol.request(Method::GET, "/api/whoami");
        let status = request.send().await.ok()?.status();
        assert_eq!(status.as_u16(), 429);
        Some(())
    })
    .await;
    // While others come without end, one of them may be closed for another before it has been heard.
    let churn = tokio::spawn(async move {
        let mut strangers = strangers;
        loop {
            strangers.truncate(50);
            strangers.extend(connect(app.address, 10).await);
            strangers.rotate_left(10);
            tokio::task::yield_now().await;
        }
    });
    for (player, mv) in [(&bob, "3,3"), (&ann, "1,3"), (&bob, "3,1")] {
        wait_until("a move", async || {
            let id = id.to_string();
            let form = [("match_id", id.as_str()), ("mv", mv)];
            let sent = player.post_request("/api/move").form(&form).send().await;
            (sent.ok()?.status() == 200).then_some(())
        })
        .await;
    }
    churn.abort();
}
