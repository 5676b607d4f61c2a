//! The header of every page: site name, navigation, account.

use crate::api;
use crate::ui::fingerprint::versioned_url;
use crate::ui::forms::next_path;
use crate::ui::live::stream_script::NotifiedScript;
use crate::ui::page::games_on_turn::GamesOnTurn;
use crate::ui::page::load::load;
use crate::ui::page::visitor_session::VisitorSession;
use crate::ui::page::{current_url, with_next};
use crate::ui::shell::has_event_stream;
use crate::ui::shell::settings_panel::{SettingsButton, SettingsPanel};
use crate::ui::text::{language, t};
use crate::ui::view::view;
use crate::ui::widgets::player_name::{GuestMark, Name};
use leptos::prelude::*;
use leptos::server_fn::ServerFn;
use leptos_router::components::A;
use tochki_protocol::{Account, limits};

#[component]
pub(crate) fn Header() -> impl IntoView {
    let language = language();
    let session = VisitorSession::current();
    let own_games = GamesOnTurn::current();
    let unread = load(api::unread_notifications);
    view! {
        <header class="top" class:over-board=has_board(&current_url())>
            <a class="wordmark" href="/">
                <svg viewBox="0 0 40 20" width="40" height="20" aria-hidden="true">
                    <path class="wordmark-line" d="M9 11 20 5l11 6" />
                    <circle class="dot red" cx="9" cy="11" r="4" />
                    <circle class="dot blue" cx="20" cy="5" r="3" />
                    <circle class="dot red" cx="31" cy="11" r="4" />
                </svg>
                {t!(language, site.name)}
            </a>
            // A menu where the window is narrow; where there is room, its parts are those of the row.
            <button type="button" class="quiet menu-button" popovertarget="menu">
                <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
                    <path d="M2 4.5h16M2 10h16M2 15.5h16" />
                </svg>
                <span class="hidden">{t!(language, menu.title)}</span>
            </button>
            <Suspense>
                {move || {
                    let (counts, unread) = (own_games.count(), unread.into_future());
                    Suspend::new(async move {
                        let account = session.account().await;
                        let signed_in = account.is_some();
                        let on_turn = counts.await.on_turn;
                        let own_games = signed_in.then(|| view! { <OwnGamesLink on_turn /> });
                        let who = match account {
                            Some(account) => {
                                let unread = unread.await.map_or(0, |count| count.unread);
                                view! { <SignedIn account unread /> }.into_any()
                            }
                            None => view! { <SignedOut /> }.into_any(),
                        };
                        view! {
                            <div id="menu" class="menu" popover>
                                <nav aria-label=t!(language, header.nav)>
                                    <A href="/play">{t!(language, header.play)}</A>
                                    {own_games}
                                    <A href="/tournaments">{t!(language, tournaments.title)}</A>
                                    <A href="/puzzles">{t!(language, puzzles.title)}</A>
                                    <A href="/standings">{t!(language, header.standings)}</A>
                                    <A href="/rules">{t!(language, header.rules)}</A>
                                </nav>
                                <div class="who">
                                    <SettingsButton />
                                    {who}
                                </div>
                            </div>
                            <SettingsPanel signed_in />
                        }
                    })
                }}
            </Suspense>
        </header>
    }
}

/// The link to the running games, with the number of those on turn. `public/event_stream.js` keeps it.
#[component]
fn OwnGamesLink(on_turn: u32) -> impl IntoView {
    let language = language();
    view! {
        <a href="/games">
            {t!(language, own_games.title)} " "
            <b class="on-turn-count" title=t!(language, own_games.on_turn) hidden=on_turn == 0>
                {on_turn}
            </b>
        </a>
    }
}

/// Returns whether a page has a board, which on a phone gets the height that its header leaves.
fn has_board(url: &str) -> bool {
    let pages = [
        "/match/",
        "/puzzle/",
        "/computer/game",
        "/analysis",
        "/sgf",
        "/history/computer/",
    ];
    pages.iter().any(|page| url.starts_with(page))
}

#[component]
fn SignedIn(account: Account, unread: u32) -> impl IntoView {
    let language = language();
    let page = format!("/@{}", account.name);
    let keep = account
        .guest
        .then(|| view! { <A href="/keep">{t!(language, guest.keep_short)}</A> });
    let notified = (!has_event_stream(&current_url())).then(|| view! { <NotifiedScript /> });
    let check = (!needs_no_check(&current_url())).then(|| {
        view! { <script type="module" id="session-check" data-me=account.id.0 src=session_script()></script> }
    });
    view! {
        <a class="me" href=page title=t!(language, header.own_page)>
            <Name name=account.name />
        </a>
        <GuestMark guest=account.guest bot=account.bot />
        {keep}
        <a class="bell" href="/notifications" title=t!(language, notifications.title) data-unread=unread_text(unread)>
            <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
                <path d="M3 15h14l-2-3V8a5 5 0 0 0-10 0v4zM8 17.5h4" />
            </svg>
            <span>{t!(language, notifications.title)}</span>
        </a>
        <form action=api::Logout::url() method="post">
            <button type="submit" class="quiet">
                {t!(language, header.sign_out)}
            </button>
        </form>
        {check}
        {notified}
    }
}

/// The number beside the bell, as `public/event_stream.js` writes it, too.
fn unread_text(unread: u32) -> String {
    match unread {
        0 => String::new(),
        limits::UNREAD_COUNTED.. => format!("{}+", limits::UNREAD_COUNTED - 1),
        unread => unread.to_string(),
    }
}

/// Returns whether the page at this path and query needs no script to notice that the session has ended: pages with an event
/// stream are told, and a record that was posted is not posted again for that.
fn needs_no_check(url: &str) -> bool {
    url.split('?').next() == Some("/sgf") || has_event_stream(url)
}

/// Returns the script of the other pages.
fn session_script() -> String {
    versioned_url(
        "/session.js",
        include_str!("../../../../../public/session.js"),
    )
}

#[component]
fn SignedOut() -> impl IntoView {
    let language = language();
    // From a form of ours one goes where it leads, and from the front page to the waiting room.
    let here = current_url();
    let forms = ["/login", "/register", "/recover", "/keep"];
    let is_form = forms.iter().any(|form| here.starts_with(form));
    let [login, register] = ["/login", "/register"].map(|form| match here.as_str() {
        "/" => form.to_owned(),
        _ if is_form => with_next(form, &next_path()),
        here => with_next(form, here),
    });
    view! {
        <A href=login>{t!(language, header.sign_in)}</A>
        <A href=register>{t!(language, header.register)}</A>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_with_a_stream_need_no_check() {
        for url in [
            "/play",
            "/play?game=dots",
            "/games",
            "/t/a1b2",
            "/match/7",
            "/match/7?ply=3",
            "/tournament/7",
        ] {
            assert!(needs_no_check(url), "{url}");
        }
        for url in [
            "/",
            "/account",
            "/match/7/replay",
            "/match/7/analysis?moves=1,1",
            "/@ann",
            "/players",
            "/tournaments",
        ] {
            assert!(!needs_no_check(url), "{url}");
        }
    }
}
