//! Failures of pages, as browsers report them: counted, and logged under the target `page.failed`.
//!
//! Everybody can send such a report, with any content. So it is short, escaped, and no reason for anything.

use governor::{DefaultDirectRateLimiter, DefaultKeyedRateLimiter, Quota, RateLimiter};
use metrics::{counter, describe_counter};
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::LazyLock;
use tochki_protocol::{Code, limits};

/// The counter, by kind.
const COUNTER: &str = "page_failures_total";

/// The kinds of failures: the code of the page did not start, or it broke.
const KINDS: [&str; 2] = ["not_started", "panic"];

/// The limit of reports by address.
static REPORTS: LazyLock<DefaultKeyedRateLimiter<IpAddr>> = LazyLock::new(|| {
    let reports = NonZeroU32::new(limits::FAILURE_REPORTS_PER_MINUTE).unwrap();
    RateLimiter::keyed(Quota::per_minute(reports))
});

/// The limit of lines in the log, for all addresses.
static LINES: LazyLock<DefaultDirectRateLimiter> = LazyLock::new(|| {
    let lines = NonZeroU32::new(limits::SECURITY_LOG_LINES_PER_SECOND).unwrap();
    RateLimiter::direct(Quota::per_second(lines))
});

/// Registers the meaning of the counter, which begins at 0, so that the first increase is seen.
pub fn describe() {
    describe_counter!(
        COUNTER,
        "Pages that became ones without scripts, by kind, as browsers report it"
    );
    for kind in KINDS {
        counter!(COUNTER, "kind" => kind).absolute(0);
    }
}

/// Counts a report and logs it.
///
/// # Errors
/// If there is no such kind of failure, or the address has reported too many.
pub fn note(client: IpAddr, kind: &str, page: &str, message: &str) -> Result<(), Code> {
    let kind = KINDS.into_iter().find(|known| *known == kind);
    let kind = kind.ok_or(Code::BadRequest)?;
    if REPORTS.len() > limits::FAILURE_REPORTERS {
        REPORTS.retain_recent();
    }
    REPORTS
        .check_key(&client)
        .map_err(|_| Code::TooManyRequests)?;
    counter!(COUNTER, "kind" => kind).increment(1);
    if LINES.check().is_ok() {
        let page = shortened(page, limits::FAILURE_PAGE_MAX_CHARS);
        let message = shortened(message, limits::FAILURE_MESSAGE_MAX_CHARS);
        // Debug formatting escapes what does not print, line ends among it.
        tracing::warn!(target: "page.failed", kind, ?page, said = ?message, "a page has failed");
    }
    Ok(())
}

/// Returns the beginning of a text.
fn shortened(text: &str, chars: usize) -> &str {
    text.char_indices()
        .nth(chars)
        .map_or(text, |(end, _)| &text[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_between_characters() {
        for (text, chars, expected) in [
            ("", 3, ""),
            ("abc", 3, "abc"),
            ("паника", 3, "пан"),
            ("x", 0, ""),
        ] {
            assert_eq!(shortened(text, chars), expected, "{text}");
        }
    }

    #[test]
    fn an_address_reports_so_often() {
        let [first, second] = [1, 2].map(|last| IpAddr::from([192, 0, 2, last]));
        for _ in 0..limits::FAILURE_REPORTS_PER_MINUTE {
            assert_eq!(note(first, "panic", "match", ""), Ok(()));
        }
        assert_eq!(
            note(first, "panic", "match", ""),
            Err(Code::TooManyRequests)
        );
        assert_eq!(note(second, "not_started", "", ""), Ok(()));
        assert_eq!(note(second, "bored", "", ""), Err(Code::BadRequest));
    }
}
