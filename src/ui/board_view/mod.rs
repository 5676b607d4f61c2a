//! The board of any game, and the hand over it.

mod aim;

use crate::ui::board::{Face, Preview};
use crate::ui::board::{Hand, Shown};
use crate::ui::board_view::aim::{Aim, By, Gesture, Question, clicked, is_finger, moved, pressed};
use crate::ui::games;
use crate::ui::islands::effect::effect;
use crate::ui::text::side;
use crate::ui::text::words;
use crate::ui::text::{Language, language, say};
use crate::ui::widgets::markup_list;
use leptos::prelude::*;
use leptos::svg::G;
use tochki_rules::Illegal;

/// Without a hand the board is a picture.
#[component]
pub(crate) fn Board(
    /// What stands on it.
    shown: Memo<Shown>,
    /// Whose hand is over it.
    hand: Option<Hand>,
    /// The names of the two players, whose letters some games write down.
    names: [String; 2],
) -> impl IntoView {
    let language = language();
    let initials = words::initials(language, names.each_ref().map(String::as_str));
    let picture = Memo::new(move |_| {
        shown.with(|shown| games::face(&shown.position).picture(&shown.plies, initials))
    });
    let (geometry, paper, label) = on(shown, |face| {
        (face.geometry(), face.paper(), face.label(language))
    });
    let sheet = geometry.sheet();

    let aim = RwSignal::new(None::<Aim>);
    let preview = Memo::new(move |_| {
        let seat = hand?.seat.get()?;
        let Aim { place, .. } = aim.get()?;
        Some(shown.with(|shown| games::face(&shown.position).preview(language, seat, place)))
    });
    if let Some(hand) = hand {
        effect(move || {
            hand.hint
                .set(preview.with(|preview| match preview.as_ref()? {
                    Ok(preview) => preview.words.clone(),
                    Err(illegal) => Some(words::illegal(language, *illegal).to_owned()),
                }));
        });
    }
    let act = move |gesture: Option<Gesture>| {
        let (Some(hand), Some(gesture)) = (hand, gesture) else {
            return;
        };
        match gesture {
            Gesture::Aims(to) if aim.get_untracked() != to => {
                aim.set(to);
                if let Some(Aim {
                    place,
                    by: By::Keys,
                }) = to
                {
                    let there = on(shown, |face| face.whats_in(language, place));
                    hand.tell(spoken(there, preview.get_untracked()));
                }
            }
            Gesture::Aims(_) => {}
            Gesture::Moves(place) => {
                // A pointer aims anew as it moves on; until then it would point at what has just been placed.
                if aim.get_untracked().is_some_and(|aim| aim.by != By::Keys) {
                    aim.set(None);
                }
                hand.play.run(on(shown, |face| face.move_in(place)));
            }
            Gesture::Asks(question) => {
                hand.tell(shown.with_untracked(|shown| answer(language, hand, shown, question)));
            }
        }
    };
    // Where the keys begin: at the last move, or in the middle.
    let start = move || {
        let last = shown.with_untracked(|shown| shown.plies.last().copied());
        last.map_or_else(|| geometry.middle(), |ply| games::place_of(ply.mv))
    };

    let (areas, marks) = (NodeRef::<G>::new(), NodeRef::<G>::new());
    markup_list::sync_children(areas, move || picture.with(|picture| picture.areas.clone()));
    markup_list::sync_children(marks, move || picture.with(|picture| picture.marks.clone()));
    let standing = picture.get_untracked();
    let last = move || picture.with(|picture| picture.last.clone());
    let open = move || {
        let seat = hand.and_then(|hand| hand.seat.get());
        seat.map(|seat| shown.with(|shown| games::face(&shown.position).open_to(seat)))
    };
    let over = move || {
        let drawn = preview.with(|preview| Some(preview.as_ref()?.as_ref().ok()?.drawn.clone()));
        let cursor = aim.get().filter(|aim| aim.by == By::Keys);
        let cursor = cursor.map(|aim| aim.place.cursor());
        drawn.unwrap_or_default() + &cursor.unwrap_or_default()
    };
    // A finger that is lifted leaves, too, but its press stays for the second tap.
    let leave = move |by| {
        if aim.get_untracked().is_some_and(|aim| aim.by == by) {
            aim.set(None);
        }
    };
    let finger = StoredValue::new(false);
    let in_turn = move || hand.is_some_and(|hand| hand.seat.get_untracked().is_some());
    // On an upright phone a wide board lies turned. The empty drawing beside it has the turned proportions, so the page
    // keeps the right room for it without a script.
    let turned = sheet.turns().then(|| {
        view! { <svg class="turned-room" viewBox=sheet.turned_box() aria-hidden="true"></svg> }
    });
    let in_hand = hand.is_some();
    view! {
        <div class="board-frame" class:turns=sheet.turns()>
            <div class="board-sheet">
                {turned}
                <svg
                    class="board"
                    viewBox=sheet.view_box()
                    role=if in_hand { "application" } else { "img" }
                    tabindex=in_hand.then_some("0")
                    aria-label=label
                    aria-describedby=in_hand.then_some("board-help")
                    on:pointerdown=move |event| finger.set_value(is_finger(&event))
                    on:pointermove=move |event| {
                        act(moved(geometry, &event, aim.get_untracked()));
                    }
                    on:pointerleave=move |_| leave(By::Mouse)
                    on:click=move |event| {
                        let (aim, finger) = (aim.get_untracked(), finger.get_value());
                        act(clicked(geometry, &event, aim, finger, in_turn()));
                    }
                    on:keydown=move |event| {
                        act(pressed(geometry, &event, aim.get_untracked(), start()));
                    }
                    on:blur=move |_| leave(By::Keys)
                >
                    <g aria-hidden="true" inner_html=paper></g>
                    <g aria-hidden="true" class="areas" node_ref=areas inner_html=markup_list::render(&standing.areas)></g>
                    <g aria-hidden="true" class="open" inner_html=open></g>
                    <g aria-hidden="true" class="dots" node_ref=marks inner_html=markup_list::render(&standing.marks)></g>
                    <g aria-hidden="true" class="ring" inner_html=last></g>
                    <g aria-hidden="true" inner_html=over></g>
                </svg>
            </div>
        </div>
        // `public/board.js` puts the buttons here.
        <div class="board-tools"></div>
    }
}

/// Asks the game as it is shown.
fn on<T>(shown: Memo<Shown>, ask: impl FnOnce(&dyn Face) -> T) -> T {
    shown.with_untracked(|shown| ask(games::face(&shown.position)))
}

/// What the keys have come to: what is there, and what a move would do.
fn spoken(there: String, preview: Option<Result<Preview, Illegal>>) -> String {
    match preview {
        Some(Ok(Preview {
            words: Some(words), ..
        })) => format!("{there} {words}"),
        _ => there,
    }
}

/// What the keys have asked for.
fn answer(language: Language, hand: Hand, shown: &Shown, question: Question) -> String {
    match question {
        Question::LastMove => match shown.plies.last() {
            Some(ply) => {
                let side = side::colour(language, ply.seat);
                let mv = games::place(language, ply.mv);
                say!(language, board.last_move, side = side, mv = mv)
            }
            None => say!(language, table.no_moves).to_owned(),
        },
        Question::Keys => say!(language, board.help).to_owned(),
        Question::Score => hand.score.run(()),
        Question::Clocks => hand.clocks.run(()),
    }
}
