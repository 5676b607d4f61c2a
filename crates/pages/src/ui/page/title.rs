//! The title of a page, on its tab and beside a link to it on other sites.

use crate::ui::forms::escaped;
use crate::ui::games;
use crate::ui::page::page_address::PageAddress;
use crate::ui::terms::describe_terms;
use crate::ui::text::names::display_name;
use crate::ui::text::{language, t, versus, words};
use crate::ui::view::view;
use leptos::prelude::*;
use leptos_meta::{Meta, Title};
use tochki_protocol::Snapshot;
use tochki_rules::{GameKind, Seat};

/// Sets title and description of a page, and the same ones for links to it.
#[component]
pub(crate) fn PageTitle(
    #[prop(into)] text: String,
    /// That of the site where the page has no other.
    #[prop(optional, into)]
    description: Option<String>,
) -> impl IntoView {
    let description = description.unwrap_or_else(|| t!(language(), site.description).to_owned());
    view! {
        <EscapedTitle text=text.clone() />
        <LinkTitle text />
        <Description text=description />
    }
}

/// Sets the description of a page, which search engines and other sites show beside a link to it. Names of players may be in it:
/// attributes are escaped.
#[component]
pub(crate) fn Description(#[prop(into)] text: String) -> impl IntoView {
    view! {
        <Meta name="description" content=text.clone() />
        <Meta property="og:description" content=text />
    }
}

/// Sets the title of a page. Names of players may be in it: `leptos_meta` puts a title into the page as it is.
#[component]
pub(crate) fn EscapedTitle(#[prop(into)] text: String) -> impl IntoView {
    view! { <Title text=escaped(&text) /> }
}

/// Sets the title that links to a page have on other sites.
#[component]
pub(crate) fn LinkTitle(#[prop(into)] text: String) -> impl IntoView {
    view! { <Meta property="og:title" content=text /> }
}

/// Sets title, description and picture of links to a page whose path does not tell the game (`SocialCard` leaves them out there).
#[component]
pub(crate) fn GameLink(title: String, description: String, game: GameKind) -> impl IntoView {
    // In a browser nobody reads them.
    let picture = use_context::<PageAddress>().map(|address| {
        let picture = address.origin + &game_card_path(game);
        view! { <Meta property="og:image" content=picture /> }
    });
    view! {
        <LinkTitle text=title />
        <Description text=description />
        {picture}
    }
}

/// Returns the path of the picture of a game.
pub(crate) fn game_card_path(game: GameKind) -> String {
    format!("/card/{game}.png")
}

/// Sets title and description of links to a match: who plays which game, on which terms, and how it ended.
#[component]
pub(crate) fn MatchLink(snapshot: Snapshot) -> impl IntoView {
    let language = language();
    let name = |seat: Seat| display_name(language, &snapshot.players[seat.index()].name);
    let terms = describe_terms(
        language,
        snapshot.setup,
        snapshot.time_control,
        snapshot.rated,
    );
    let description = match &snapshot.result {
        Some(result) => {
            let headline = words::headline(language, result, None, name);
            format!("{headline} · {terms}")
        }
        None => terms,
    };
    view! {
        <LinkTitle text=match_title(&snapshot) />
        <Description text=description />
    }
}

/// Returns the title of a match: both players, and the game.
pub(crate) fn match_title(snapshot: &Snapshot) -> String {
    let language = language();
    let name = |seat: Seat| display_name(language, &snapshot.players[seat.index()].name);
    let game = games::title(language, snapshot.setup.kind());
    format!("{} · {game}", versus(&Seat::BOTH.map(name)))
}
