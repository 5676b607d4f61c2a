//! Error responses.

use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use tochki_pages::context::status;
use tochki_protocol::Code;

/// The errors of any request to `/api`, to a stream, or for a download.
const ANYWHERE: [Code; 7] = [
    Code::BadRequest,
    Code::BadToken,
    Code::MethodNotAllowed,
    Code::TooLarge,
    Code::TooManyRequests,
    Code::Internal,
    Code::Unavailable,
];

/// The errors that the address names, and those that it need not name.
pub(super) fn all_errors(
    named: &[Code],
    posts: bool,
    for_visitors: bool,
    is_stream: bool,
) -> Vec<Code> {
    let mut codes = named.to_vec();
    codes.extend(ANYWHERE);
    // With a token it may always be the scope that is too small.
    codes.push(Code::OutOfScope);
    if posts {
        codes.push(Code::ForeignOrigin);
    }
    if !for_visitors {
        codes.push(Code::SignedOut);
    }
    if is_stream {
        codes.push(Code::TooManyStreams);
    }
    if named.contains(&Code::NoSuchMatch) {
        codes.extend([Code::BrokenRecord, Code::MatchSuspended]);
    }
    codes
}

/// A response for each status, with the codes that have it.
pub(super) fn error_responses(codes: &[Code]) -> Map<String, Value> {
    let mut by_status = BTreeMap::<u16, Vec<&str>>::new();
    for code in codes {
        let names = by_status.entry(status(*code).as_u16()).or_default();
        if !names.contains(&code.as_str()) {
            names.push(code.as_str());
        }
    }
    let responses = by_status.into_iter().map(|(status, names)| {
        let mut response = json!({
            "description": names.join(", "),
            "content": { "application/json": { "schema": {
                "allOf": [{ "$ref": "#/components/schemas/ApiError" }],
                "properties": { "code": { "enum": names } },
            } } },
        });
        if matches!(status, 429 | 503) {
            response["headers"] = json!({ "Retry-After": {
                "description": "In how many seconds to try again.",
                "required": status == 429,
                "schema": { "type": "integer" },
            } });
        }
        (status.to_string(), response)
    });
    responses.collect()
}
