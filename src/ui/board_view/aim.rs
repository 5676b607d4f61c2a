//! The one way in for mouse, finger and keys: what a hand does over the board becomes an aim, and then a move.

use crate::ui::board::geometry::{Frame, Geometry, Heading, Place};
use leptos::ev::{KeyboardEvent, MouseEvent, PointerEvent};
use leptos::prelude::document;
use wasm_bindgen::JsCast;

/// What a hand points at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Aim {
    /// The place.
    pub(crate) place: Place,
    /// What points at it.
    pub(crate) by: By,
}

/// What points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum By {
    /// A mouse that hovers: a click places at once.
    Mouse,
    /// A press that waits for a second one on the same place: a finger's, which cannot hover, or that of a mouse which
    /// is to confirm.
    Press,
    /// The arrow keys.
    Keys,
}

/// What the hand does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Gesture {
    /// It points somewhere else, or nowhere.
    Aims(Option<Aim>),
    /// It makes the move of a place.
    Moves(Place),
    /// It asks to be told something.
    Asks(Question),
}

/// What the keys can ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Question {
    /// The last move.
    LastMove,
    /// The score, and whose move it is.
    Score,
    /// The clocks.
    Clocks,
    /// The keys themselves.
    Keys,
}

/// Where the board lies on the screen just now, however it is zoomed and panned.
fn frame_of(event: &web_sys::Event) -> Option<Frame> {
    let rect = event
        .current_target()?
        .unchecked_into::<web_sys::Element>()
        .get_bounding_client_rect();
    Some(Frame {
        left: rect.left(),
        top: rect.top(),
        width: rect.width(),
        height: rect.height(),
    })
}

fn place(geometry: Geometry, event: &MouseEvent) -> Option<Place> {
    let frame = frame_of(event)?;
    let spot = geometry.sheet().under(
        frame,
        f64::from(event.client_x()),
        f64::from(event.client_y()),
    );
    geometry.place_at(spot)
}

/// Whether it is a finger that points. Not every browser tells it of a click, but every one of what comes before it.
pub(crate) fn is_finger(event: &PointerEvent) -> bool {
    event.pointer_type() == "touch"
}

/// The pointer moves over the board. Fingers do not hover, and a press stays where it is.
pub(crate) fn moved(geometry: Geometry, event: &PointerEvent, aim: Option<Aim>) -> Option<Gesture> {
    if is_finger(event) || aim.is_some_and(|aim| aim.by == By::Press) {
        return None;
    }
    let aim = place(geometry, event).map(|place| Aim {
        place,
        by: By::Mouse,
    });
    Some(Gesture::Aims(aim))
}

/// The board is clicked or tapped. What ends a pan or a pinch never comes here: `public/board.js` keeps it away.
///
/// Out of turn there is nothing to aim at; the move is tried, and refused in words.
pub(crate) fn clicked(
    geometry: Geometry,
    event: &MouseEvent,
    aim: Option<Aim>,
    finger: bool,
    in_turn: bool,
) -> Option<Gesture> {
    let place = place(geometry, event)?;
    let here = Some(Aim {
        place,
        by: By::Press,
    });
    if in_turn && aim != here && (finger || confirms()) {
        Some(Gesture::Aims(here))
    } else {
        Some(Gesture::Moves(place))
    }
}

/// Whether a mouse, too, is to press twice. The settings stand on the document, so that a change counts at once.
fn confirms() -> bool {
    let html = document().document_element();
    html.is_some_and(|html| html.get_attribute("data-confirm").as_deref() == Some("on"))
}

/// A key is pressed on the board. `start` is where the arrows begin.
pub(crate) fn pressed(
    geometry: Geometry,
    event: &KeyboardEvent,
    aim: Option<Aim>,
    start: Place,
) -> Option<Gesture> {
    if event.ctrl_key() || event.alt_key() || event.meta_key() {
        return None;
    }
    let heading = match letter(event).as_str() {
        "ArrowUp" => Heading::Up,
        "ArrowRight" => Heading::Right,
        "ArrowDown" => Heading::Down,
        "ArrowLeft" => Heading::Left,
        "Enter" | " " => {
            event.prevent_default();
            return aim.map(|aim| Gesture::Moves(aim.place));
        }
        "Escape" => return Some(Gesture::Aims(None)),
        "l" => return Some(Gesture::Asks(Question::LastMove)),
        "s" => return Some(Gesture::Asks(Question::Score)),
        "c" => return Some(Gesture::Asks(Question::Clocks)),
        "?" => return Some(Gesture::Asks(Question::Keys)),
        _ => return None,
    };
    event.prevent_default();
    let turned = frame_of(event).is_some_and(|frame| geometry.sheet().is_turned(frame));
    let heading = if turned { heading.on_turned() } else { heading };
    let place = aim.map_or(start, |aim| geometry.step(aim.place, heading));
    Some(Gesture::Aims(Some(Aim {
        place,
        by: By::Keys,
    })))
}

/// What the key means. Where a layout has other letters, the place of the key on the keyboard speaks for it.
fn letter(event: &KeyboardEvent) -> String {
    let key = event.key();
    match event.code().strip_prefix("Key") {
        Some(place) if !key.is_ascii() => place.to_ascii_lowercase(),
        Some(_) => key.to_ascii_lowercase(),
        None => key,
    }
}
