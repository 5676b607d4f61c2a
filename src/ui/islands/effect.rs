//! Effects that share the code which runs them.

use leptos::prelude::Effect;

/// Runs this when the page has woken up, and again whenever a signal that it has read changes. Only in a browser.
///
/// [`Effect::new`] is compiled anew for each closure that it is given, with all that schedules it; here that is once.
pub(crate) fn effect(run: impl FnMut() + 'static) {
    start(Box::new(run));
}

fn start(mut run: Box<dyn FnMut()>) {
    Effect::new(move || run());
}
