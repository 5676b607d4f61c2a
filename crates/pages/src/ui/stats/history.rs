//! The visitor's finished games: a filter in the query string, and downloads.

use crate::api;
use crate::ui::games;
use crate::ui::operator::Annulments;
use crate::ui::page::info_stylesheet::InfoStylesheet;
use crate::ui::page::load::load;
use crate::ui::page::visitor_session::VisitorSession;
use crate::ui::page::{PageError, RedirectToLogin, query_param};
use crate::ui::stats::{FinishedGames, Pager, outcome};
use crate::ui::text::names::stored_part;
use crate::ui::text::{language, t};
use crate::ui::view::view;
use crate::ui::widgets::other_dialects::OtherDialects;
use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::location::Url;
use tochki_protocol::limits;
use tochki_protocol::{Code, HistoryPage as HistoryData, PlayerOutcome};
use tochki_rules::GameKind;

/// The fields of the filter.
const FILTER_FIELDS: [&str; 3] = ["game", "opponent", "result"];

/// `/history`, for players: `?game=dots&opponent=ann&result=won&page=2`.
#[component]
pub(crate) fn HistoryPage() -> impl IntoView {
    let language = language();
    let session = VisitorSession::current();
    let filter = FILTER_FIELDS.map(query_param);
    let page = query_param("page");
    let [game, opponent, result] = stored(&filter);
    let past =
        load(move || api::history(game.clone(), opponent.clone(), result.clone(), page.clone()));
    let notices = load(api::notices);
    view! {
        <Title text=t!(language, history.games) />
        <InfoStylesheet />
        <Suspense>
            {move || {
                let filter = filter.clone();
                Suspend::new(async move {
                    match past.await {
                        Ok(past) => {
                            let name = session.account().await.map(|account| account.name).unwrap_or_default();
                            let notices = notices.await.unwrap_or_default();
                            view! {
                                <Annulments notices />
                                <HistoryView past filter name />
                            }
                                .into_any()
                        }
                        Err(error) if error.code == Code::SignedOut => view! { <RedirectToLogin /> }.into_any(),
                        Err(error) => view! { <PageError error /> }.into_any(),
                    }
                })
            }}
        </Suspense>
    }
}

#[component]
fn HistoryView(past: HistoryData, filter: [Option<String>; 3], name: String) -> impl IntoView {
    let language = language();
    let query = query(&filter);
    let filtered = !query.is_empty();
    let only = filter[0].clone();
    let count = past.total;
    let counted = t!(language, history.count, count);
    let list = if past.games.is_empty() {
        let why = match (count, filtered) {
            (0, true) => t!(language, history.none_fit),
            (0, false) => t!(language, history.none),
            _ => t!(language, past.no_such_page),
        };
        view! { <p class="empty">{why}</p> }.into_any()
    } else {
        let past = past.clone();
        view! { <FinishedGames past name /> }.into_any()
    };
    let files =
        (count > 0).then(|| view! { <Downloads query=self::query(&stored(&filter)) only /> });
    let to = move |page: u32| format!("/history?page={page}{query}");
    view! {
        <article class="info-page history">
            <h1>{t!(language, history.games)}</h1>
            <FilterForm filter />
            <section class="card" aria-labelledby="past-title">
                <h2 id="past-title">{t!(language, history.games)}</h2>
                {(count > 0).then(|| view! { <p class="note">{counted}</p> })}
                {list}
                <Pager page=past.page pages=past.pages to />
            </section>
            {files}
            <p class="button-row">
                <a class="button quiet" href="/history/computer">
                    {t!(language, kept_games.title)}
                </a>
            </p>
        </article>
    }
}

/// The filter with the opponent's name as it is stored.
fn stored(filter: &[Option<String>; 3]) -> [Option<String>; 3] {
    let [game, opponent, result] = filter.clone();
    let opponent = opponent.map(|shown| stored_part(language(), &shown));
    [game, opponent, result]
}

/// The filter as a part of a query string, without empty fields.
fn query(filter: &[Option<String>; 3]) -> String {
    let filter = FILTER_FIELDS.iter().zip(filter);
    filter
        .filter_map(|(field, text)| {
            let text = text.as_deref()?.trim();
            Some(format!("&{field}={}", Url::escape(text)))
        })
        .collect()
}

#[component]
fn FilterForm(filter: [Option<String>; 3]) -> impl IntoView {
    let language = language();
    let filtered = filter.iter().any(Option::is_some);
    let [game, opponent, result] = filter.map(Option::unwrap_or_default);
    let games: Vec<_> = GameKind::ALL
        .iter()
        .map(|&kind| (kind.id(), games::title(language, kind)))
        .collect();
    let results = PlayerOutcome::ALL.map(|each| (each.as_str(), outcome(language, each)));
    let any = t!(language, history.any);
    view! {
        <form class="card history-filter" method="get" action="/history">
            <label>
                {t!(language, history.game)} <select name="game">
                    <option value="">{any}</option>
                    {options(&games, &game)}
                </select>
            </label>
            <label>
                {t!(language, history.opponent)}
                <input
                    type="search"
                    name="opponent"
                    value=opponent
                    maxlength=limits::SEARCH_MAX_CHARS
                    autocomplete="off"
                    autocapitalize="none"
                    spellcheck="false"
                />
            </label>
            <label>
                {t!(language, history.result)} <select name="result">
                    <option value="">{any}</option>
                    {options(&results, &result)}
                </select>
            </label>
            <p class="button-row">
                <button type="submit">{t!(language, filter.apply)}</button>
                {filtered
                    .then(|| {
                        view! {
                            <a class="button quiet" href="/history">
                                {t!(language, filter.reset)}
                            </a>
                        }
                    })}
            </p>
        </form>
    }
}

fn options(all: &[(&'static str, &'static str)], chosen: &str) -> impl IntoView + use<> {
    let options = all.iter().map(|&(word, label)| {
        view! {
            <option value=word selected=word == chosen>
                {label}
            </option>
        }
    });
    options.collect_view()
}

/// Downloads of all games that the filter lets through.
#[component]
fn Downloads(
    query: String,
    /// The game of the filter, if there is one.
    only: Option<String>,
) -> impl IntoView {
    let language = language();
    let query = query.replacen('&', "?", 1);
    // Only Dots has SGF records.
    let address = only
        .is_none_or(|game| game == GameKind::Dots.id())
        .then(|| format!("/history/sgf{query}"));
    let sgf = address.clone().map(|address| {
        view! {
            <a class="button quiet" href=address download>
                {t!(language, history.all_as_sgf)}
            </a>
        }
    });
    let other_dialects = address.map(|address| view! { <OtherDialects address /> });
    view! {
        <section class="card" aria-labelledby="files">
            <h2 id="files">{t!(language, history.files)}</h2>
            <p class="note">{t!(language, history.files_text)}</p>
            <p class="button-row">
                {sgf}
                <a class="button quiet" href=format!("/history/jsonl{query}") download>
                    {t!(language, history.all_as_lines)}
                </a>
            </p>
            {other_dialects}
        </section>
    }
}
