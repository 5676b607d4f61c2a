//! The boards of a tournament: those of the leaders while it runs, the best games of the winner after it.

use crate::ui::board::{DiagramCrop, DiagramPosition};
use crate::ui::embed::last_position;
use crate::ui::games::board_position;
use crate::ui::text::{language, side, words};
use crate::ui::tournaments::standings::BerserkMark;
use crate::ui::view::view;
use crate::ui::widgets::player_name::Name;
use leptos::prelude::*;
use tochki_protocol::Snapshot;
use tochki_rules::Seat;

/// Small boards under a heading.
#[component]
pub(super) fn Boards(title: &'static str, games: Vec<Snapshot>) -> impl IntoView {
    (!games.is_empty()).then(|| {
        let boards = games.into_iter().map(|game| view! { <SmallBoard game /> });
        view! {
            <section>
                <h2>{title}</h2>
                <ul class="own-games">{boards.collect_view()}</ul>
            </section>
        }
    })
}

#[component]
fn SmallBoard(game: Snapshot) -> impl IntoView {
    let language = language();
    let kind = game.setup.kind();
    // Without its moves a game can still be opened.
    let board = last_position(&game).map(|shown| {
        DiagramCrop::Whole.before(DiagramPosition {
            position: board_position(&shown.position),
            plies: &shown.plies,
            initials: words::initials(language, [""; 2]),
        })
    });
    let score =
        words::score(kind, game.score).map(|score| view! { <span class="score">{score}</span> });
    let [first, second] = game.players;
    let berserk = game.berserk;
    let name = |seat: Seat, name: String| {
        let halved = berserk[seat.index()].then(|| view! { <BerserkMark /> });
        view! { <span class=format!("side {}", side::class(seat))><Name name />{halved}</span> }
    };
    view! {
        <li class=format!("card {}", side::stones_class(kind))>
            <a href=format!("/match/{}", game.id)>
                <span class="small-board" inner_html=board.unwrap_or_default()></span>
                {name(Seat::First, first.name)}
                " – "
                {name(Seat::Second, second.name)}
                {score}
            </a>
        </li>
    }
}
