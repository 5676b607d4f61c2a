//! Effects that share the code which runs them.

use leptos::prelude::Effect;

/// Runs after hydration, and again whenever a signal that it has read changes. Only in a browser.
///
/// [`Effect::new`] is compiled for each closure with all its scheduling; boxing the closure avoids that.
pub(crate) fn effect(run: impl FnMut() + 'static) {
    start(Box::new(run));
}

fn start(run: Box<dyn FnMut()>) {
    Effect::new(run);
}
