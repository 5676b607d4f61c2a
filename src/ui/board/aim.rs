//! The one way in for mouse, finger and keys: what a hand does over the board becomes an aim, and then a move.

use super::geometry::{Frame, Geometry, Heading};
use leptos::ev::{KeyboardEvent, MouseEvent, PointerEvent};
use wasm_bindgen::JsCast;

/// A place that a hand points at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Aim<P> {
    /// The place.
    pub(super) place: P,
    /// What points at it.
    pub(super) by: By,
}

/// What points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum By {
    /// A mouse: it hovers, and a click places at once.
    Mouse,
    /// A finger: it cannot hover, so the first tap aims and the second places.
    Finger,
    /// The arrow keys.
    Keys,
}

/// What the hand does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Gesture<P> {
    /// It points somewhere else, or nowhere.
    Aims(Option<Aim<P>>),
    /// It places a mark.
    Places(P),
}

/// Where the board lies on the screen just now.
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

fn place<G: Geometry>(geometry: G, event: &MouseEvent) -> Option<G::Place> {
    let frame = frame_of(event)?;
    let spot = geometry.sheet().under(
        frame,
        f64::from(event.client_x()),
        f64::from(event.client_y()),
    );
    geometry.place_at(spot)
}

/// The pointer moves over the board. Fingers do not hover.
pub(super) fn moved<G: Geometry>(geometry: G, event: &PointerEvent) -> Option<Gesture<G::Place>> {
    if event.pointer_type() == "touch" {
        return None;
    }
    let aim = place(geometry, event).map(|place| Aim {
        place,
        by: By::Mouse,
    });
    Some(Gesture::Aims(aim))
}

/// The board is clicked or tapped. Browsers send no click after a pan or a pinch, so these never place a mark.
pub(super) fn clicked<G: Geometry>(
    geometry: G,
    event: &MouseEvent,
    aim: Option<Aim<G::Place>>,
) -> Option<Gesture<G::Place>> {
    let place = place(geometry, event)?;
    // Older browsers send clicks that do not know their pointer; they are taken for a mouse.
    let finger = event
        .dyn_ref::<PointerEvent>()
        .is_some_and(|event| event.pointer_type() == "touch");
    let here = Aim {
        place,
        by: By::Finger,
    };
    if finger && aim != Some(here) {
        Some(Gesture::Aims(Some(here)))
    } else {
        Some(Gesture::Places(place))
    }
}

/// A key is pressed on the board. `start` is where the arrows begin.
pub(super) fn pressed<G: Geometry>(
    geometry: G,
    event: &KeyboardEvent,
    aim: Option<Aim<G::Place>>,
    start: G::Place,
) -> Option<Gesture<G::Place>> {
    if event.ctrl_key() || event.alt_key() || event.meta_key() {
        return None;
    }
    let heading = match event.key().as_str() {
        "ArrowUp" => Heading::Up,
        "ArrowRight" => Heading::Right,
        "ArrowDown" => Heading::Down,
        "ArrowLeft" => Heading::Left,
        "Enter" | " " => {
            event.prevent_default();
            return aim.map(|aim| Gesture::Places(aim.place));
        }
        "Escape" => return Some(Gesture::Aims(None)),
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
