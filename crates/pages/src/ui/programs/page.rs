//! The page for those who write programs.

use crate::ui::page::info_stylesheet::InfoStylesheet;
use crate::ui::page::title::PageTitle;
use crate::ui::programs::{ProgramsContext, Reference};
use crate::ui::text::{language, t};
use crate::ui::view::view;
use leptos::prelude::*;

const WITH_CURL: &str = include_str!("first_game.sh");
const WITH_PYTHON: &str = include_str!("first_game.py");

/// `/programs`.
#[component]
pub(crate) fn ProgramsPage() -> impl IntoView {
    let language = language();
    let ProgramsContext {
        operations,
        moves_per_second,
        requests_by_token,
        line_port,
    } = expect_context();
    view! {
        <PageTitle text=t!(language, programs.title) description=t!(language, programs.lead) />
        <InfoStylesheet />
        <article class="programs">
            <h1>{t!(language, programs.title)}</h1>
            <p class="lead">{t!(language, programs.lead)}</p>

            <h2>{t!(language, programs.tokens)}</h2>
            <p>
                {t!(language, programs.tokens_about)} " "
                <a href="/account#tokens">{t!(language, programs.to_account)}</a>
            </p>
            <pre translate="no" tabindex="0" aria-label=t!(language, programs.header)>
                <code>"Authorization: Bearer tochki_…"</code>
            </pre>

            <h2>{t!(language, programs.game)}</h2>
            <p>{t!(language, programs.game_about)}</p>
            <h3 id="with-curl">{t!(language, programs.with_curl)}</h3>
            <Sample id="curl" label="with-curl" code=WITH_CURL />
            <h3 id="with-python">{t!(language, programs.with_python)}</h3>
            <Sample id="python" label="with-python" code=WITH_PYTHON />

            <h2>{t!(language, programs.streams)}</h2>
            <p>{t!(language, programs.streams_about)}</p>
            <ul>
                <li>
                    <code translate="no">"/events/me?available=dots,boxes"</code>
                    " – "
                    {t!(language, programs.stream_me)}
                </li>
                <li>
                    <code translate="no">"/events/match/{id}?after={version}"</code>
                    " – "
                    {t!(language, programs.stream_match)}
                </li>
                <li>
                    <code translate="no">"/events/table/{link}"</code>
                    " – "
                    {t!(language, programs.stream_table)}
                </li>
                <li>
                    <code translate="no">"/events/lobby?game=dots"</code>
                    " – "
                    {t!(language, programs.stream_lobby)}
                </li>
            </ul>

            <h2>{t!(language, programs.limits)}</h2>
            <p>
                {t!(
                    language, programs.limits_about, moves = moves_per_second, requests =
                    requests_by_token
                )}
            </p>

            <h2>{t!(language, programs.games)}</h2>
            <p>{t!(language, programs.games_about)}</p>
            <ul>
                <li>
                    <code translate="no">"GET /api/games?game=dots&after={match}"</code>
                    " – "
                    {t!(language, programs.all_games)}
                </li>
                <li>
                    <code translate="no">"GET /api/tv"</code>
                    " – "
                    {t!(language, programs.tv)}
                </li>
                <li>
                    <code translate="no">"<iframe src=\"/embed/match/{id}\">"</code>
                    " – "
                    {t!(language, programs.frame)}
                </li>
            </ul>

            <h2 id="fair">{t!(language, bots.fair_title)}</h2>
            <p>{t!(language, bots.fair)}</p>
            <p>{t!(language, programs.fair_about)}</p>

            <h2>{t!(language, programs.ways)}</h2>
            <ul>
                <li>
                    <code translate="no">"tochki-bot"</code>
                    " – "
                    {t!(language, programs.way_bot)}
                    " (" <code translate="no">"docs/bots.md"</code> ")"
                </li>
                <li>
                    <code translate="no">"tochki-client"</code>
                    " – "
                    {t!(language, programs.way_client)}
                    " (" <code translate="no">"crates/client"</code> ")"
                </li>
                <li>
                    {t!(language, programs.way_line)}
                    " (" <code translate="no">"docs/line.md"</code> "). "
                    {line_port.map(|port| t!(language, programs.line_port, port))}
                </li>
            </ul>

            <h2>{t!(language, programs.reference)}</h2>
            <p>
                {t!(language, programs.reference_about)} " "
                <a href="/api/openapi.json" rel="external">
                    <code translate="no">"/api/openapi.json"</code>
                </a>
            </p>
            <Reference operations />
        </article>
    }
}

/// The text of a program, unchanged. The block scrolls by itself where it is wider than the page, with the keys, too.
#[component]
fn Sample(id: &'static str, label: &'static str, code: &'static str) -> impl IntoView {
    view! {
        <pre translate="no" tabindex="0" role="region" aria-labelledby=label>
            <code id=id>{code}</code>
        </pre>
    }
}
