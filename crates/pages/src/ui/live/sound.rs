//! Sounds: requested here by DOM events, played by `public/sound.js`, which is loaded when first needed.

use leptos::prelude::document;
use web_sys::Event;

/// A sound.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Sound {
    /// Another player has moved.
    Move,
    /// A challenge has come in, or a request of the opponent.
    Challenge,
    /// The visitor's own time is low.
    LowTime,
}

impl Sound {
    /// Plays the sound, unless the settings disable sounds or the visitor has not interacted with the page yet.
    pub(crate) fn play(self) {
        let name = match self {
            Self::Move => "sound:tick",
            Self::Challenge => "sound:call",
            Self::LowTime => "sound:low",
        };
        // Without the event there is no sound, and nothing else is lost.
        let _ = Event::new(name).map(|event| document().dispatch_event(&event));
    }
}
