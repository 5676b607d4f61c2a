//! Short notices that disappear by themselves.

use crate::ui::view::view;
use crate::ui::widgets::list::{Entry, List};
use leptos::prelude::*;
use tochki_protocol::limits::NOTICE_DURATION;

/// The notices of a page.
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

    /// Shows a notice. For effects and event handlers.
    pub(crate) fn push(self, text: impl Into<String>) {
        let id = self.count.get_value();
        self.count.set_value(id + 1);
        self.list.update(|list| list.push((id, text.into())));
        self.schedule_removal(id, !document().hidden());
    }

    /// Removes it after a while, if the page was visible at the beginning and at the end of it.
    fn schedule_removal(self, id: u32, was_visible: bool) {
        let remove = move || {
            let visible = !document().hidden();
            if visible && was_visible {
                self.list
                    .update(|list| list.retain(|(other, _)| *other != id));
            } else {
                self.schedule_removal(id, visible);
            }
        };
        set_timeout(remove, NOTICE_DURATION);
    }
}

/// The list of notices: over the page, so that nothing shifts, and announced by screen readers.
#[component]
pub(crate) fn NoticeList(notices: Notices) -> impl IntoView {
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
