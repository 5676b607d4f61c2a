//! The page that tells the rules of one game.

use crate::ui::games;
use crate::ui::games::GameRow;
use crate::ui::rules::case::{Case, CaseCard};
use crate::ui::text::{language, say};
use leptos::prelude::*;
use tochki_rules::GameKind;

/// How a game is played: in a few sentences, then chapter by chapter.
#[derive(Clone, Debug)]
pub(crate) struct Explained {
    pub(crate) heading: &'static str,
    /// Who moves how, and what for.
    pub(crate) lead: Vec<&'static str>,
    /// What follows from that.
    pub(crate) chapters: Vec<Chapter>,
}

/// One part of the explanation.
#[derive(Clone, Debug)]
pub(crate) struct Chapter {
    pub(crate) title: &'static str,
    /// What there is to say.
    pub(crate) text: Vec<&'static str>,
    /// What there is to see.
    pub(crate) cases: Vec<Case>,
}

/// The whole page, with the ways to the rules of the other games and into a game.
#[component]
pub(crate) fn RulesPage(game: GameKind) -> impl IntoView {
    let language = language();
    let Explained {
        heading,
        lead,
        chapters,
    } = games::rules(language, game);
    let boards = chapters.iter().any(|chapter| !chapter.cases.is_empty());
    let click = boards.then(|| view! { <p class="note">{say!(language, rules.click)}</p> });
    view! {
        <GameRow label=say!(language, rules.games) here=game to=|game| format!("/rules/{game}") />
        <article class="rules">
            <h1>{heading}</h1>
            <div class="lead">{paragraphs(lead)} {click}</div>
            {chapters.into_iter().map(|chapter| view! { <Told chapter /> }).collect_view()}
            <p class="ways">
                <a class="button" href=format!("/play?game={game}")>
                    {say!(language, header.play)}
                </a>
            </p>
        </article>
    }
}

#[component]
fn Told(chapter: Chapter) -> impl IntoView {
    let Chapter { title, text, cases } = chapter;
    let text = (!text.is_empty()).then(|| view! { <div class="lead">{paragraphs(text)}</div> });
    let cases = (!cases.is_empty()).then(|| {
        let cards = cases.into_iter().map(|case| view! { <CaseCard case /> });
        view! { <div class="cases">{cards.collect_view()}</div> }
    });
    view! {
        <h2>{title}</h2>
        {text}
        {cases}
    }
}

fn paragraphs(text: Vec<&'static str>) -> impl IntoView {
    let paragraphs = text.into_iter().map(|text| view! { <p>{text}</p> });
    paragraphs.collect_view()
}
