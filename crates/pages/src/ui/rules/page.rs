//! The page that tells the rules of one game.

use crate::ui::games;
use crate::ui::games::GameRow;
use crate::ui::page::current_settings;
use crate::ui::page::title::PageTitle;
use crate::ui::rulebook::{Chapter, GameRules};
use crate::ui::rules::example_card::ExampleCard;
use crate::ui::rules::exercise_card::ExerciseCard;
use crate::ui::text::{language, side, t};
use crate::ui::view::view;
use leptos::context::Provider;
use leptos::prelude::*;
use tochki_protocol::{Palette, Settings};
use tochki_rules::GameKind;

/// The rules of a game, with links to the other games and to the lobby: first to be tried, then ways to play, then in detail. Sets
/// the title of the page.
#[component]
pub(crate) fn RulesView(game: GameKind) -> impl IntoView {
    let language = language();
    let GameRules {
        heading,
        lead,
        exercises,
        chapters,
    } = games::rules(language, game);
    let title = t!(language, rules.title, game = games::title(language, game));
    let description = lead.join(" ");
    // The sentences speak of black and white, so the boards and their descriptions do, too.
    let settings = Settings {
        palette: Palette::Stones,
        ..current_settings()
    };
    let exercises = (!exercises.is_empty()).then(|| {
        let cards = exercises
            .into_iter()
            .map(|exercise| view! { <ExerciseCard exercise /> });
        view! {
            <section aria-labelledby="exercises">
                <h2 id="exercises">{t!(language, exercises.title)}</h2>
                <div class="examples">{cards.collect_view()}</div>
            </section>
        }
    });
    view! {
        <PageTitle text=title description />
        <GameRow label=t!(language, rules.games) here=game to=|game| format!("/rules/{game}") />
        <Provider value=settings>
        <article class=format!("rules {}", if side::has_stones(game) { "stones always" } else { "" })>
            <h1>{heading}</h1>
            <div class="lead">{paragraphs(lead)}</div>
            {exercises}
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
            {chapters.into_iter().map(|chapter| view! { <ChapterView chapter /> }).collect_view()}
        </article>
        </Provider>
    }
}

/// A chapter, folded.
#[component]
fn ChapterView(chapter: Chapter) -> impl IntoView {
    let Chapter {
        title,
        text,
        examples,
    } = chapter;
    let language = language();
    let text = (!text.is_empty()).then(|| view! { <div class="lead">{paragraphs(text)}</div> });
    let examples = (!examples.is_empty()).then(|| {
        let cards = examples
            .into_iter()
            .map(|example| view! { <ExampleCard example /> });
        view! {
            <p class="note">{t!(language, rules.click)}</p>
            <div class="examples">{cards.collect_view()}</div>
        }
    });
    view! {
        <details class="card chapter">
            <summary>
                <h2>{title}</h2>
            </summary>
            {text}
            {examples}
        </details>
    }
}

fn paragraphs(text: Vec<&'static str>) -> impl IntoView {
    let paragraphs = text.into_iter().map(|text| view! { <p>{text}</p> });
    paragraphs.collect_view()
}
