//! Input by mouse, touch and keyboard: events set a cursor on the board, or play the move at it.

use crate::ui::board::geometry::{Direction, Frame, Geometry, MoveTarget};
use leptos::ev::{KeyboardEvent, MouseEvent, PointerEvent};
use leptos::prelude::document;
use wasm_bindgen::JsCast;

/// The place at which a player points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Cursor {
    /// The place.
    pub(crate) target: MoveTarget,
    /// The device.
    pub(crate) by: InputDevice,
}

/// The device by which a player points at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum InputDevice {
    /// A hovering mouse: a click plays at once.
    Mouse,
    /// A tap, or a click where clicks are to be confirmed: a second one on the same place plays.
    Tap,
    /// The arrow keys.
    Keys,
}

/// The action that an event asks for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum InputAction {
    /// Moves or removes the cursor.
    Point(Option<Cursor>),
    /// Plays the move of a place.
    Play(MoveTarget),
    /// Speaks the answer to a query.
    Ask(Query),
}

/// A query about the game that a key asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Query {
    /// The last move.
    LastMove,
    /// The score, and whose move it is.
    Score,
    /// The clocks.
    Clocks,
}

/// The rectangle of the board on the screen, zoomed and panned.
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

fn target(geometry: Geometry, event: &MouseEvent) -> Option<MoveTarget> {
    let frame = frame_of(event)?;
    let coords = geometry.size().under(
        frame,
        f64::from(event.client_x()),
        f64::from(event.client_y()),
    );
    geometry.target_at(coords)
}

/// Returns whether the event is a touch. Not every browser says so of a `click` event, but every one of the pointer events before
/// it.
pub(crate) fn is_finger(event: &PointerEvent) -> bool {
    event.pointer_type() == "touch"
}

/// Handles a move of the pointer over the board. Touches do not hover, and the cursor of a tap stays.
pub(crate) fn moved(
    geometry: Geometry,
    event: &PointerEvent,
    cursor: Option<Cursor>,
) -> Option<InputAction> {
    if is_finger(event) || cursor.is_some_and(|cursor| cursor.by == InputDevice::Tap) {
        return None;
    }
    let cursor = target(geometry, event).map(|target| Cursor {
        target,
        by: InputDevice::Mouse,
    });
    Some(InputAction::Point(cursor))
}

/// Handles a click or a tap on the board. `public/board.js` stops the click that ends a pan or a pinch.
///
/// Out of turn there is no cursor; the move is tried, and refused in words.
pub(crate) fn clicked(
    geometry: Geometry,
    event: &MouseEvent,
    cursor: Option<Cursor>,
    finger: bool,
    in_turn: bool,
) -> Option<InputAction> {
    let target = target(geometry, event)?;
    let here = Some(Cursor {
        target,
        by: InputDevice::Tap,
    });
    if in_turn && cursor != here && (finger || confirms()) {
        Some(InputAction::Point(here))
    } else {
        Some(InputAction::Play(target))
    }
}

/// An element that a page has where clicks are to be confirmed. `correspondence` is a class of matches by correspondence.
const CONFIRMED: &str =
    "[data-confirm=on],html:not([data-confirm_correspondence=off]) .correspondence";

/// Returns whether clicks, too, are to be confirmed. The settings are attributes of the document, so that a change applies at
/// once.
fn confirms() -> bool {
    let asked = document().query_selector(CONFIRMED);
    asked.is_ok_and(|asked| asked.is_some())
}

/// Handles a key that is pressed on the board. The cursor begins at `start`.
pub(crate) fn pressed(
    geometry: Geometry,
    event: &KeyboardEvent,
    cursor: Option<Cursor>,
    start: MoveTarget,
) -> Option<InputAction> {
    if event.ctrl_key() || event.alt_key() || event.meta_key() {
        return None;
    }
    let direction = match letter(event).as_str() {
        "ArrowUp" => Direction::Up,
        "ArrowRight" => Direction::Right,
        "ArrowDown" => Direction::Down,
        "ArrowLeft" => Direction::Left,
        "Enter" | " " => {
            // A place that the mouse happens to be over was not chosen: the key is that of the page, such as for scrolling.
            let chosen = cursor.filter(|cursor| cursor.by != InputDevice::Mouse)?;
            event.prevent_default();
            return Some(InputAction::Play(chosen.target));
        }
        "Escape" => return Some(InputAction::Point(None)),
        "l" => return Some(InputAction::Ask(Query::LastMove)),
        "s" => return Some(InputAction::Ask(Query::Score)),
        "c" => return Some(InputAction::Ask(Query::Clocks)),
        _ => return None,
    };
    event.prevent_default();
    let turned = frame_of(event).is_some_and(|frame| geometry.size().is_turned(frame));
    let direction = if turned {
        direction.on_turned()
    } else {
        direction
    };
    let target = cursor.map_or(start, |cursor| geometry.step(cursor.target, direction));
    Some(InputAction::Point(Some(Cursor {
        target,
        by: InputDevice::Keys,
    })))
}

/// Returns the letter of a key in lower case. In a layout without Latin letters it is that of the physical key.
fn letter(event: &KeyboardEvent) -> String {
    let key = event.key();
    match event.code().strip_prefix("Key") {
        Some(place) if !key.is_ascii() => place.to_ascii_lowercase(),
        Some(_) => key.to_ascii_lowercase(),
        None => key,
    }
}
