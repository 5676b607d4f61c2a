//! The page for those who write programs.

use crate::ui::page::info_stylesheet::InfoStylesheet;
use crate::ui::programs::{ProgramsContext, Reference};
use crate::ui::text::{language, say};
use crate::ui::view::view;
use leptos::prelude::*;
use leptos_meta::Title;

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
        <Title text=say!(language, programs.title) />
        <InfoStylesheet />
        <article class="programs">
            <h1>{say!(language, programs.title)}</h1>
            <p class="lead">{say!(language, programs.lead)}</p>

            <h2>{say!(language, programs.tokens)}</h2>
            <p>
                {say!(language, programs.tokens_about)} " "
                <a href="/account#tokens">{say!(language, programs.to_account)}</a>
            </p>
            <pre translate="no" tabindex="0" aria-label=say!(language, programs.header)>
                <code>"Authorization: Bearer tochki_…"</code>
            </pre>

            <h2>{say!(language, programs.game)}</h2>
            <p>{say!(language, programs.game_about)}</p>
            <h3 id="with-curl">{say!(language, programs.with_curl)}</h3>
            <Sample id="curl" label="with-curl" code=WITH_CURL />
            <h3 id="with-python">{say!(language, programs.with_python)}</h3>
            <Sample id="python" label="with-python" code=WITH_PYTHON />

            <h2>{say!(language, programs.streams)}</h2>
            <p>{say!(language, programs.streams_about)}</p>
            <ul>
                <li>
                    <code translate="no">"/events/me?available=dots,boxes"</code>
                    " – "
                    {say!(language, programs.stream_me)}
                </li>
                <li>
                    <code translate="no">"/events/match/{id}?after={version}"</code>
                    " – "
                    {say!(language, programs.stream_match)}
                </li>
                <li>
                    <code translate="no">"/events/table/{link}"</code>
                    " – "
                    {say!(language, programs.stream_table)}
                </li>
                <li>
                    <code translate="no">"/events/lobby?game=dots"</code>
                    " – "
                    {say!(language, programs.stream_lobby)}
                </li>
            </ul>

            <h2>{say!(language, programs.limits)}</h2>
            <p>
                {say!(
                    language, programs.limits_about, moves = moves_per_second, requests =
                    requests_by_token
                )}
            </p>

            <h2>{say!(language, programs.games)}</h2>
            <p>{say!(language, programs.games_about)}</p>
            <ul>
                <li>
                    <code translate="no">"GET /api/games?game=dots&after={match}"</code>
                    " – "
                    {say!(language, programs.all_games)}
                </li>
                <li>
                    <code translate="no">"GET /api/tv"</code>
                    " – "
                    {say!(language, programs.tv)}
                </li>
                <li>
                    <code translate="no">"<iframe src=\"/embed/match/{id}\">"</code>
                    " – "
                    {say!(language, programs.frame)}
                </li>
            </ul>

            <h2 id="fair">{say!(language, bots.fair_title)}</h2>
            <p>{say!(language, bots.fair)}</p>
            <p>{say!(language, programs.fair_about)}</p>

            <h2>{say!(language, programs.ways)}</h2>
            <ul>
                <li>
                    <code translate="no">"tochki-bot"</code>
                    " – "
                    {say!(language, programs.way_bot)}
                    " (" <code translate="no">"docs/bots.md"</code> ")"
                </li>
                <li>
                    <code translate="no">"tochki-client"</code>
                    " – "
                    {say!(language, programs.way_client)}
                    " (" <code translate="no">"crates/client"</code> ")"
                </li>
                <li>
                    {say!(language, programs.way_line)}
                    " (" <code translate="no">"docs/line.md"</code> "). "
                    {line_port.map(|port| say!(language, programs.line_port, port))}
                </li>
            </ul>

            <h2>{say!(language, programs.reference)}</h2>
            <p>
                {say!(language, programs.reference_about)} " "
                <a href="/api/openapi.json" rel="external">
                    <code translate="no">"/api/openapi.json"</code>
                </a>
            </p>
            <Reference operations />
        </article>
    }
}

/// A program, as it is. It scrolls by itself where it is wider than the page, with the keys, too.
#[component]
fn Sample(id: &'static str, label: &'static str, code: &'static str) -> impl IntoView {
    view! {
        <pre translate="no" tabindex="0" role="region" aria-labelledby=label>
            <code id=id>{code}</code>
        </pre>
    }
}
