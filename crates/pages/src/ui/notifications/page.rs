//! The list of notifications.

use super::words;
use crate::api;
use crate::ui::page::info_stylesheet::InfoStylesheet;
use crate::ui::page::load::load;
use crate::ui::page::{PageError, RedirectToLogin, query_param};
use crate::ui::text::time::DateTime;
use crate::ui::text::{language, t};
use crate::ui::view::view;
use leptos::prelude::*;
use leptos::server_fn::ServerFn;
use leptos_meta::Title;
use tochki_protocol::{Code, Notification, NotificationPage};

/// `/notifications`, for players: `?page=2`.
#[component]
pub(crate) fn NotificationsPage() -> impl IntoView {
    let language = language();
    let page = query_param("page").and_then(|page| page.parse().ok());
    let page = load(move || api::notifications(page));
    view! {
        <Title text=t!(language, notifications.title) />
        <InfoStylesheet />
        <Suspense>
            {move || Suspend::new(async move {
                match page.await {
                    Ok(page) => view! { <NotificationList page /> }.into_any(),
                    Err(error) if error.code == Code::SignedOut => view! { <RedirectToLogin /> }.into_any(),
                    Err(error) => view! { <PageError error /> }.into_any(),
                }
            })}
        </Suspense>
    }
}

#[component]
fn NotificationList(page: NotificationPage) -> impl IntoView {
    let language = language();
    let NotificationPage {
        notifications,
        unread,
        page,
        more,
    } = page;
    let list = if notifications.is_empty() {
        view! { <p class="empty">{t!(language, notifications.none)}</p> }.into_any()
    } else {
        let rows = notifications.into_iter();
        let rows = rows.map(|notification| view! { <Row notification /> });
        view! { <ul class="notifications">{rows.collect_view()}</ul> }.into_any()
    };
    let read_all = (unread > 0).then(|| {
        view! {
            <form action=api::ReadNotifications::url() method="post">
                <button type="submit" class="quiet">
                    {t!(language, notifications.read_all)}
                </button>
            </form>
        }
    });
    let link = |is_there: bool, page: u32, rel: &'static str, label: &'static str| {
        is_there.then(|| {
            view! {
                <a class="button quiet" href=format!("/notifications?page={page}") rel=rel>
                    {label}
                </a>
            }
        })
    };
    view! {
        <div class="info-page">
            <h1>{t!(language, notifications.title)}</h1>
            <section class="card" aria-label=t!(language, notifications.title)>
                {list}
            </section>
            <div class="button-row">
                {read_all}
                {link(page > 1, page.saturating_sub(1), "prev", t!(language, pager.previous))}
                {link(more, page + 1, "next", t!(language, pager.next))}
                <a href="/account#notifications">{t!(language, notifications.settings)}</a>
            </div>
        </div>
    }
}

/// A notification: a button that leads to what it is about, and marks it as read.
#[component]
fn Row(notification: Notification) -> impl IntoView {
    let language = language();
    let headline = words::headline(language, &notification);
    let game = words::game_name(language, &notification);
    let game = game.map(|game| view! { <span>{game}</span> " · " });
    let new = (!notification.read)
        .then(|| view! { <span class="hidden">{t!(language, notifications.new)} ": "</span> });
    view! {
        <li class:unread=!notification.read>
            <form action=api::ReadNotifications::url() method="post">
                <input type="hidden" name="id" value=notification.id.0 />
                <input type="hidden" name="next" value=notification.place() />
                <button type="submit" class="quiet">
                    <span class="headline">{new} {headline}</span>
                    <span class="note">{game} <DateTime at=notification.at /></span>
                </button>
            </form>
        </li>
    }
}
