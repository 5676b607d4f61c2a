//! Copies of a page's islands for `public/start.js`: their markup as text, which no script of others changes.
//!
//! A browser hydrates an island by the places of its elements. Password managers and translators move those before that happens.
//! In a compressed page a repetition costs nearly nothing.

use super::pages;
use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, header};
use axum::response::Response;
use leptos::config::LeptosOptions;
use tochki_protocol::Code;

/// The element with the copies. Its content is no script, so a browser does nothing with it.
const OPENING: &str = r#"<script type="text/plain" id="islands">"#;

/// Adds the copies to a page. Other responses stay as they are.
pub(super) async fn repeat(
    response: Response,
    asked: &HeaderMap,
    options: LeptosOptions,
) -> Response {
    let kind = response.headers().get(header::CONTENT_TYPE);
    let is_page = kind.is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"));
    if !is_page {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    // A page is complete before it is sent, so this neither waits nor bounds anything.
    let page = to_bytes(body, usize::MAX).await;
    let page = page
        .ok()
        .and_then(|page| String::from_utf8(page.into()).ok());
    let Some(page) = page else {
        return pages::error(asked, options, &Code::Internal.into());
    };
    parts.headers.remove(header::CONTENT_LENGTH);
    Response::from_parts(parts, Body::from(with_copies(page)))
}

/// Adds the copies at the end of the page.
fn with_copies(mut page: String) -> String {
    let copies = copies(&page);
    if copies.is_empty() {
        return page;
    }
    let end = page.rfind("</body>").unwrap_or(page.len());
    page.insert_str(end, &format!("{OPENING}{copies}</script>"));
    page
}

/// Returns the islands of a page, one after the other. The children of an island are left out, because they are not hydrated, or
/// are islands of their own.
fn copies(page: &str) -> String {
    let mut copies = String::new();
    // The open elements: islands with their copies so far, and children, of which nothing is copied.
    let mut open: Vec<Option<String>> = Vec::new();
    let mut read = 0;
    for (at, _) in page.match_indices("leptos-") {
        let closes = page[..at].ends_with("</");
        let length = page[at..].find('>');
        let Some(length) = length.filter(|_| closes || page[..at].ends_with('<')) else {
            continue;
        };
        let (begin, end) = (at - 1 - usize::from(closes), at + length + 1);
        push(&mut open, &page[read..begin]);
        read = end;
        let is_island = page[at..].starts_with("leptos-island");
        match (is_island, closes) {
            (true, false) => open.push(Some(page[begin..end].to_owned())),
            (false, false) => {
                push(&mut open, "<leptos-children></leptos-children>");
                open.push(None);
            }
            (true, true) => {
                let island = open.pop().flatten().filter(|island| is_text(island));
                copies.extend(island.map(|island| island + &page[begin..end]));
            }
            (false, true) => {
                open.pop();
            }
        }
    }
    copies
}

/// Adds to the copy of the innermost open island.
fn push(open: &mut [Option<String>], text: &str) {
    if let Some(Some(island)) = open.last_mut() {
        island.push_str(text);
    }
}

/// Returns whether a `<script>` can have this as its text, without ending or beginning another script.
fn is_text(island: &str) -> bool {
    let ends = ["<script", "</script", "<!--"];
    ends.iter().all(|end| !island.contains(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(page: &str, expected: &str) {
        assert_eq!(copies(page), expected, "{page}");
    }

    #[test]
    fn islands_are_copied_without_their_children() {
        check("<p>leptos-island</p>", "");
        check(
            "<p><leptos-island data-component=\"A\"><b>1</b><!></leptos-island></p>",
            "<leptos-island data-component=\"A\"><b>1</b><!></leptos-island>",
        );
        check(
            "<leptos-island data-component=\"A\"><i><leptos-children>x<leptos-island data-component=\"B\">b</leptos-island>y</leptos-children></i>z</leptos-island>",
            "<leptos-island data-component=\"B\">b</leptos-island><leptos-island data-component=\"A\"><i><leptos-children></leptos-children></i>z</leptos-island>",
        );
    }

    #[test]
    fn an_island_with_a_script_is_left_out() {
        check(
            "<leptos-island><script>1</script></leptos-island><leptos-island>2</leptos-island>",
            "<leptos-island>2</leptos-island>",
        );
    }

    #[test]
    fn markup_that_does_not_close_is_no_island() {
        check(
            "<leptos-island><leptos-children></leptos-island></leptos-children></leptos-island",
            "",
        );
        check("</leptos-island></leptos-children><leptos-", "");
    }

    #[test]
    fn the_copies_are_at_the_end_of_the_page() {
        let page = "<html><body><leptos-island>1</leptos-island></body></html>".to_owned();
        let expected = "<html><body><leptos-island>1</leptos-island><script type=\"text/plain\" id=\"islands\"><leptos-island>1</leptos-island></script></body></html>";
        assert_eq!(with_copies(page), expected);
        assert_eq!(with_copies("<p></p>".to_owned()), "<p></p>");
    }
}
