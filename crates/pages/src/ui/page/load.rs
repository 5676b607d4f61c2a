//! Loading of the data that a page shows.

use leptos::prelude::Resource;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::future::Future;

/// Begins to load something, once for a page, whose `Suspense` waits for it.
///
/// This is never `Resource::new_blocking`: that one makes the end of the response wait for its own signal, which never comes when
/// the resource is dropped before its first poll, as happens with resources that a `Suspense` creates while it looks for those to
/// wait for (`docs/upstream.md`). All pages are complete before they are sent (`SsrMode::Async`), so there is nothing to block.
///
/// Call it at the top of a page and not inside of a `Suspense`, whose children are made two or three times: their requests are
/// made as often.
pub(crate) fn load<T, F>(fetch: impl Fn() -> F + Send + Sync + 'static) -> Resource<T>
where
    T: Serialize + DeserializeOwned + Send + Sync + 'static,
    F: Future<Output = T> + Send + 'static,
{
    Resource::new(|| (), move |()| fetch())
}

#[cfg(all(test, feature = "ssr"))]
mod tests {
    use super::load;
    use axum::body::{Body, to_bytes};
    use axum::http::Request;
    use leptos::prelude::*;
    use std::time::Duration;

    /// A part of a page that loads something which it does not show.
    #[component]
    fn Part() -> impl IntoView {
        let _unread = load(|| async { 1 });
        view! { <p>"part"</p> }
    }

    /// A page whose data are at hand before its `Suspense` looks for them.
    #[component]
    fn Page() -> impl IntoView {
        let data = load(|| async { 7 });
        // As the shell around a page takes its time.
        std::thread::sleep(Duration::from_millis(3));
        view! {
            <Suspense>
                {move || Suspend::new(async move {
                    view! {
                        <p>{data.await}</p>
                        <Part />
                    }
                })}
            </Suspense>
        }
    }

    /// Renders such pages in parallel. With `Resource::new_blocking`, some three in a thousand of them never end.
    #[tokio::test(flavor = "multi_thread", worker_threads = 16)]
    async fn what_is_loaded_inside_of_a_suspense_never_holds_up_the_end() {
        // This sets up Leptos.
        let _ = leptos_axum::generate_route_list(|| ());
        let pages = (0..3000).map(|_| {
            tokio::spawn(async {
                let render = leptos_axum::render_app_async(|| view! { <Page /> });
                let answer = render(Request::new(Body::empty())).await;
                to_bytes(answer.into_body(), usize::MAX).await
            })
        });
        for page in pages {
            let page = tokio::time::timeout(Duration::from_secs(20), page).await;
            let page = page.expect("it ends").expect("no panic").expect("a body");
            assert!(page.windows(4).any(|text| text == b"part"), "{page:?}");
        }
    }
}
