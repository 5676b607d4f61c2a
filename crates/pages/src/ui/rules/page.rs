//! The page that tells the rules of one game.

use crate::ui::games;
use crate::ui::games::GameRow;
use crate::ui::page::current_settings;
use crate::ui::rulebook::{Chapter, GameRules};
use crate::ui::rules::example_card::ExampleCard;
use crate::ui::text::{language, side, t};
use crate::ui::view::view;
use leptos::context::Provider;
use leptos::prelude::*;
use tochki_protocol::{Palette, Settings};
use tochki_rules::GameKind;

/// The rules of a game, with links to the other games and to the lobby.
#[component]
pub(crate) fn RulesView(game: GameKind) -> impl IntoView {
    let language = language();
    let GameRules {
        heading,
        lead,
        chapters,
    } = games::rules(language, game);
    // The sentences speak of black and white, so the boards and their descriptions do, too.
    let settings = Settings {
        palette: Palette::Stones,
        ..current_settings()
    };
    let boards = chapters.iter().any(|chapter| !chapter.examples.is_empty());
    let click = boards.then(|| view! { <p class="note">{t!(language, rules.click)}</p> });
    view! {
        <GameRow label=t!(language, rules.games) here=game to=|game| format!("/rules/{game}") />
        <Provider value=settings>
        <article class=format!("rules {}", if side::has_stones(game) { "stones always" } else { "" })>
            <h1>{heading}</h1>
            <div class="lead">{paragraphs(lead)} {click}</div>
            {chapters.into_iter().map(|chapter| view! { <ChapterView chapter /> }).collect_view()}
            <p class="button-row">
                <a class="button" href=format!("/play?game={game}")>
                    {t!(language, header.play)}
                </a>
                <a class="button quiet" href=format!("/computer/{game}")>
                    {t!(language, computer.offer)}
                </a>
                <a class="button quiet" href="/puzzles">
                    {t!(language, puzzles.link)}
                </a>
            </p>
        </article>
        </Provider>
    }
}

#[component]
fn ChapterView(chapter: Chapter) -> impl IntoView {
    let Chapter {
        title,
        text,
        examples,
    } = chapter;
    let text = (!text.is_empty()).then(|| view! { <div class="lead">{paragraphs(text)}</div> });
    let examples = (!examples.is_empty()).then(|| {
        let cards = examples
            .into_iter()
            .map(|example| view! { <ExampleCard example /> });
        view! { <div class="examples">{cards.collect_view()}</div> }
    });
    view! {
        <h2>{title}</h2>
        {text}
        {examples}
    }
}

fn paragraphs(text: Vec<&'static str>) -> impl IntoView {
    let paragraphs = text.into_iter().map(|text| view! { <p>{text}</p> });
    paragraphs.collect_view()
}
