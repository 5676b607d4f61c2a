//! The board of any game, and its input.

mod input;

use crate::ui::board::{BoardInput, BoardPosition, Preview, Shown};
use crate::ui::board_view::input::{
    Cursor, InputAction, InputDevice, Query, clicked, is_finger, moved, pressed,
};
use crate::ui::games::board_position;
use crate::ui::islands::effect::effect;
use crate::ui::text::side;
use crate::ui::text::words;
use crate::ui::text::{Language, language, t};
use crate::ui::view::{live, view};
use crate::ui::widgets::markup_list;
use leptos::prelude::*;
use leptos::svg::G;
use tochki_rules::Illegal;

/// A board. Without input it is an image.
#[component]
pub(crate) fn Board(
    /// The position.
    shown: Memo<Shown>,
    /// The input of a player; `None` for spectators.
    input: Option<BoardInput>,
    /// The names of the two players; some games show their initials.
    names: [String; 2],
    /// More marks, as SVG markup.
    #[prop(optional)]
    overlay: Option<Box<dyn Fn() -> String + Send>>,
) -> impl IntoView {
    let language = language();
    let initials = words::initials(language, names.each_ref().map(String::as_str));
    let picture = Memo::new(move |_| {
        shown.with(|shown| board_position(&shown.position).picture(&shown.plies, initials))
    });
    let (geometry, paper, label) = on(shown, |position| {
        (
            position.geometry(),
            position.paper(),
            position.label(language),
        )
    });
    let size = geometry.size();

    let cursor = RwSignal::new(None::<Cursor>);
    let preview = Memo::new(move |_| {
        let seat = input?.seat.get()?;
        let Cursor { target, .. } = cursor.get()?;
        shown.with(|shown| {
            let position = board_position(&shown.position);
            // The cursor of the keyboard stays where its player has moved, which is no reason for a refusal.
            let own = shown.plies.iter().rfind(|ply| ply.seat == seat);
            let is_there = own.is_some_and(|ply| position.target_of(ply.mv) == target);
            (!is_there).then(|| position.preview(language, seat, target))
        })
    });
    if let Some(input) = input {
        effect(move || {
            input
                .hint
                .set(preview.with(|preview| match preview.as_ref()? {
                    Ok(preview) => preview.words.clone(),
                    Err(illegal) => Some(words::illegal(language, *illegal).to_owned()),
                }));
        });
    }
    let act = move |action: Option<InputAction>| {
        let (Some(input), Some(action)) = (input, action) else {
            return;
        };
        match action {
            InputAction::Point(to) if cursor.get_untracked() != to => {
                cursor.set(to);
                if let Some(Cursor {
                    target,
                    by: InputDevice::Keys,
                }) = to
                {
                    let there = on(shown, |position| position.describe_target(language, target));
                    input.announce(spoken(there, preview.get_untracked()));
                }
            }
            InputAction::Point(_) => {}
            InputAction::Play(target) => {
                // The next pointer event sets it again; until then the preview would be of the occupied place.
                if cursor
                    .get_untracked()
                    .is_some_and(|cursor| cursor.by != InputDevice::Keys)
                {
                    cursor.set(None);
                }
                input
                    .play
                    .run(on(shown, |position| position.move_at(target)));
            }
            InputAction::Ask(query) => {
                input.announce(shown.with_untracked(|shown| answer(language, input, shown, query)));
            }
        }
    };
    // Where the keyboard cursor starts: at the last move, or in the middle.
    let start = move || {
        let last = shown.with_untracked(|shown| shown.plies.last().copied());
        last.map_or_else(
            || geometry.middle(),
            |ply| on(shown, |position| position.target_of(ply.mv)),
        )
    };

    let (areas, marks) = (NodeRef::<G>::new(), NodeRef::<G>::new());
    markup_list::sync_children(areas, move || picture.with(|picture| picture.areas.clone()));
    markup_list::sync_children(marks, move || picture.with(|picture| picture.marks.clone()));
    let standing = picture.get_untracked();
    let last = move || picture.with(|picture| picture.last.clone());
    let open = move || {
        let seat = input.and_then(|input| input.seat.get());
        seat.map(|seat| shown.with(|shown| board_position(&shown.position).legal_moves(seat)))
    };
    let over = move || {
        let drawn = preview.with(|preview| Some(preview.as_ref()?.as_ref().ok()?.markup.clone()));
        let cursor = cursor.get().filter(|cursor| cursor.by == InputDevice::Keys);
        let cursor = cursor.map(|cursor| cursor.target.frame("cursor"));
        let marks = overlay.as_ref().map(|overlay| overlay());
        drawn.unwrap_or_default() + &cursor.unwrap_or_default() + &marks.unwrap_or_default()
    };
    // A lifted finger leaves, too, but its cursor stays for the second tap.
    let leave = move |by| {
        if cursor.get_untracked().is_some_and(|cursor| cursor.by == by) {
            cursor.set(None);
        }
    };
    let finger = StoredValue::new(false);
    let in_turn = move || input.is_some_and(|input| input.seat.get_untracked().is_some());
    // On an upright phone a wide board lies turned. The empty drawing beside it has the turned proportions, so the page
    // keeps the right room for it without a script.
    let turned = size.can_rotate().then(|| {
        view! { <svg class="rotated-room" viewBox=size.turned_box() aria-hidden="true"></svg> }
    });
    let interactive = input.is_some();
    view! {
        <div class="board-frame" {..live()} class:can-rotate=size.can_rotate()>
            <div class="board-sheet">
                {turned}
                <svg
                    class="board"
                    viewBox=size.view_box()
                    role=if interactive { "application" } else { "img" }
                    tabindex=interactive.then_some("0")
                    aria-label=label
                    aria-describedby=interactive.then_some("board-help")
                    on:pointerdown=move |event| finger.set_value(is_finger(&event))
                    on:pointermove=move |event| {
                        act(moved(geometry, &event, cursor.get_untracked()));
                    }
                    on:pointerleave=move |_| leave(InputDevice::Mouse)
                    on:click=move |event| {
                        let (cursor, finger) = (cursor.get_untracked(), finger.get_value());
                        act(clicked(geometry, &event, cursor, finger, in_turn()));
                    }
                    on:keydown=move |event| {
                        act(pressed(geometry, &event, cursor.get_untracked(), start()));
                    }
                    on:blur=move |_| leave(InputDevice::Keys)
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
        <p id=interactive.then_some("board-help") class="hidden" hidden=!interactive>
            {t!(language, board.help)}
        </p>
    }
}

/// Calls a function with the shown position.
fn on<T>(shown: Memo<Shown>, ask: impl FnOnce(&dyn BoardPosition) -> T) -> T {
    shown.with_untracked(|shown| ask(board_position(&shown.position)))
}

/// Describes the place of the keyboard cursor for speech: the mark there, and the effect of a move.
fn spoken(there: String, preview: Option<Result<Preview, Illegal>>) -> String {
    match preview {
        Some(Ok(Preview {
            words: Some(words), ..
        })) => format!("{there} {words}"),
        _ => there,
    }
}

/// The answer to a query by key.
fn answer(language: Language, input: BoardInput, shown: &Shown, query: Query) -> String {
    match query {
        Query::LastMove => match shown.plies.last() {
            Some(ply) => {
                let side = side::colour(language, ply.mv.kind(), ply.seat);
                let mv = board_position(&shown.position).move_name(language, ply.mv);
                t!(language, board.last_move, side = side, mv = mv)
            }
            None => t!(language, table.no_moves).to_owned(),
        },
        Query::Score => input.score.run(()),
        Query::Clocks => input.clocks.run(()),
    }
}
