//! A page of a list as a table, with links to the pages before and after it.

use crate::ui::view::view;
use leptos::prelude::*;

/// The table, in a section with a title.
#[component]
pub(super) fn PagedTable<Row: IntoView + 'static>(
    /// The `id` of the title.
    id: &'static str,
    #[prop(into)] title: String,
    /// The text when there are no rows.
    empty: &'static str,
    columns: Vec<&'static str>,
    rows: Vec<Row>,
    page: u32,
    /// Whether there is a page after this one.
    more: bool,
    /// The texts of the links to the pages before and after.
    ways: [&'static str; 2],
    /// The address of another page.
    to: impl Fn(u32) -> String,
    #[prop(optional)] note: Option<&'static str>,
) -> impl IntoView {
    let empty = rows
        .is_empty()
        .then(|| view! { <p class="empty">{empty}</p> });
    let columns = columns
        .into_iter()
        .map(|column| view! { <th scope="col">{column}</th> });
    let way = |page: u32, text: &'static str| view! { <a href=to(page)>{text}</a> };
    let [back, on] = ways;
    let back = (page > 0).then(|| way(page - 1, back));
    let on = more.then(|| way(page + 1, on));
    view! {
        <section class="card" aria-labelledby=id>
            <h2 id=id>{title}</h2>
            {empty}
            <div class="audit" tabindex="0" role="region" aria-labelledby=id>
                <table>
                    <thead>
                        <tr>{columns.collect_view()}</tr>
                    </thead>
                    <tbody>{rows.collect_view()}</tbody>
                </table>
            </div>
            <p class="button-row">{back} {on}</p>
            {note.map(|note| view! { <p class="note">{note}</p> })}
        </section>
    }
}
