//! Short news that go away by themselves.

use crate::ui::widgets::list::{Entry, List};
use leptos::prelude::*;
use std::time::Duration;

/// How long a piece of news stays: long enough to be read twice.
const STAY: Duration = Duration::from_secs(10);

/// The news of a page.
#[derive(Clone, Copy)]
pub(crate) struct Notices {
    list: RwSignal<Vec<(u32, String)>>,
    count: StoredValue<u32>,
}

impl Notices {
    pub(crate) fn new() -> Self {
        Self {
            list: RwSignal::new(Vec::new()),
            count: StoredValue::new(0),
        }
    }

    /// Tells something. For effects and handlers.
    pub(crate) fn tell(self, text: impl Into<String>) {
        let id = self.count.get_value();
        self.count.set_value(id + 1);
        self.list.update(|list| list.push((id, text.into())));
        self.leave(id, !document().hidden());
    }

    /// Takes it away after a while, if somebody has been here at its beginning and is at its end.
    fn leave(self, id: u32, seen: bool) {
        let go = move || {
            let here = !document().hidden();
            if here && seen {
                self.list
                    .update(|list| list.retain(|(other, _)| *other != id));
            } else {
                self.leave(id, here);
            }
        };
        set_timeout(go, STAY);
    }
}

/// Where the news appear: over the page, so that nothing jumps, and read out as they come.
#[component]
pub(crate) fn NoticeBoard(notices: Notices) -> impl IntoView {
    let entries = move || {
        let entry = |(id, text)| Entry::new(id, move || view! { <p class="notice">{text}</p> });
        notices.list.get().into_iter().map(entry).collect()
    };
    view! {
        <div class="notices" role="status">
            <List entries=Box::new(entries) />
        </div>
    }
}
