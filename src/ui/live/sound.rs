//! Sounds: asked for here, made by `public/sound.js`, which is loaded when the first one is due.

use leptos::prelude::document;
use web_sys::Event;

/// What there is to hear.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Sound {
    /// A dot has been placed by another.
    Tick,
    /// Somebody asks for a game.
    Call,
    /// One's own time is low.
    Low,
}

impl Sound {
    /// Plays it, unless the settings say no or the visitor has not touched the page yet.
    pub(crate) fn play(self) {
        let name = match self {
            Self::Tick => "sound:tick",
            Self::Call => "sound:call",
            Self::Low => "sound:low",
        };
        // A page that cannot tell itself of a sound stays silent.
        let _ = Event::new(name).map(|event| document().dispatch_event(&event));
    }
}
