//! The context of a request, when Leptos has dropped the page that called a server function.

use super::app::TestApp;
use super::cluster::Database;
use axum::http::Request;
use leptos::prelude::{Owner, provide_context};
use leptos::reactive::computed::ScopedFuture;
use leptos_axum::ResponseOptions;
use std::task::Poll;
use tochki_pages::context;
use tochki_server::{AppState, db};
use tokio_util::sync::CancellationToken;

#[tokio::test]
async fn a_server_function_keeps_its_request_when_the_visitor_has_left() {
    let database = Database::fresh().await;
    let opened = db::open(database.options(), 2, db::Timeouts::default()).await;
    let closing = CancellationToken::new();
    let _ends = closing.clone().drop_guard();
    let state = AppState::open(opened.expect("a database"), TestApp::settings(), closing)
        .await
        .expect("an arena");
    let (parts, ()) = Request::get("http://tochki.example/play")
        .body(())
        .expect("a request")
        .into_parts();

    let page = Owner::new();
    page.set();
    provide_context(state);
    provide_context(parts);
    provide_context(ResponseOptions::default());
    // A component calls the function; it is known to its page, but does not keep it.
    let component = page.child();
    component.set();
    // Whether the function has come to its first wait.
    let (waiting, mut waits) = tokio::sync::oneshot::channel();
    let (left, leaving) = tokio::sync::oneshot::channel::<()>();
    let function = ScopedFuture::new(context::answer(async {
        waiting.send(()).expect("the test listens");
        leaving.await.expect("the visitor leaves");
        context::app()?;
        context::origin()
    }));
    let mut function = Box::pin(function);
    assert!(matches!(futures::poll!(&mut function), Poll::Pending));
    waits.try_recv().expect("the function waits");
    page.unset();
    left.send(()).expect("the function goes on");
    let origin = function.await.expect("the request is still there");
    assert_eq!(origin, "http://tochki.example");
}
