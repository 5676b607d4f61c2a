//! The style sheet of pages that are not about a match: a separate file, so that match pages do not load it.

use crate::ui::fingerprint::versioned_url;
use crate::ui::view::view;
use leptos::prelude::*;
use leptos_meta::Stylesheet;
use std::sync::LazyLock;

/// The parts of the style sheet, in the order of the cascade.
const PARTS: [&str; 16] = [
    include_str!("../../../../../style/info_pages/lists.css"),
    include_str!("../../../../../style/info_pages/game_links.css"),
    include_str!("../../../../../style/info_pages/own_games.css"),
    include_str!("../../../../../style/info_pages/plan.css"),
    include_str!("../../../../../style/info_pages/account.css"),
    include_str!("../../../../../style/info_pages/moderation.css"),
    include_str!("../../../../../style/info_pages/computer.css"),
    include_str!("../../../../../style/info_pages/analysis.css"),
    include_str!("../../../../../style/info_pages/puzzles.css"),
    include_str!("../../../../../style/info_pages/tables.css"),
    include_str!("../../../../../style/info_pages/lobby.css"),
    include_str!("../../../../../style/info_pages/rules.css"),
    include_str!("../../../../../style/info_pages/tournaments.css"),
    include_str!("../../../../../style/info_pages/programs.css"),
    include_str!("../../../../../style/info_pages/front.css"),
    include_str!("../../../../../public/stones.css"),
];

static SHEET: LazyLock<String> = LazyLock::new(|| compact(&PARTS.concat()));

/// The style sheet.
pub fn info_stylesheet() -> &'static str {
    &SHEET
}

/// Returns the address of the style sheet. The content is part of it, so that browsers fetch a new version.
pub(crate) fn path() -> String {
    versioned_url("/info_pages.css", info_stylesheet())
}

/// In the context of a page that has the style sheets in its head already.
#[derive(Clone, Copy)]
pub(crate) struct SheetsInPage;

/// Adds the style sheet to the head of the page.
#[component]
pub(crate) fn InfoStylesheet() -> impl IntoView {
    let is_linked = use_context::<SheetsInPage>().is_none();
    is_linked.then(|| view! { <Stylesheet href=path() /> })
}

/// Returns a style sheet without its comments and indentation.
fn compact(sheet: &str) -> String {
    let mut rules = String::with_capacity(sheet.len());
    let mut rest = sheet;
    while let Some((before, comment)) = rest.split_once("/*") {
        rules.push_str(before);
        rest = comment.split_once("*/").map_or("", |(_, after)| after);
    }
    rules.push_str(rest);
    let lines = rules.lines().map(str::trim);
    let lines: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_compact_sheet_has_its_rules_alone() {
        let sheet = "/* Rows.\n * Of lists. */\n@layer info {\n\t.row {\n\t\tcontent: \"a  b\"; /* So. */\n\t}\n}\n";
        assert_eq!(
            compact(sheet),
            "@layer info {\n.row {\ncontent: \"a  b\";\n}\n}"
        );
    }

    /// The rules of a first visit (`style/first_visit.css`) follow one another as those of all pages do, so that they look alike.
    #[test]
    fn a_first_visit_has_its_rules_in_the_order_of_all_pages() {
        const FIRST_VISIT: &str = include_str!("../../../../../style/first_visit.css");
        const MAIN: &str = include_str!("../../../../../style/main.css");
        let imported = |sheet: &'static str| {
            let lines = sheet
                .lines()
                .filter_map(|line| line.strip_prefix("@import \""));
            lines.filter_map(|line| line.strip_suffix("\";"))
        };
        let source = include_str!("info_stylesheet.rs");
        let parts = source.lines().filter_map(|line| {
            let path = line.trim().strip_prefix("include_str!(\"../../../../../")?;
            path.strip_suffix("\"),")
        });
        let mut all = imported(MAIN)
            .map(|name| format!("style/{name}"))
            .chain(parts.map(str::to_owned));
        let mut count = 0;
        for name in imported(FIRST_VISIT) {
            let path = match name.strip_prefix("../") {
                Some(path) => path.to_owned(),
                None => format!("style/{name}"),
            };
            assert!(
                all.any(|other| other == path),
                "{path} is missing, or before"
            );
            count += 1;
        }
        assert!(count > 10, "{count}");
    }
}
