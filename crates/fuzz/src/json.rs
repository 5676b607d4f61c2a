//! Any text at all as JSON, for the reader of browsers: it never panics, and `serde_json` reads every accepted text as the same
//! value.

use serde::Deserialize;
use std::collections::BTreeMap;
use tochki_protocol::json::{self, DecodeError, MAX_DEPTH};
use tochki_protocol::{ApiError, LobbyEvent, Snapshot};

/// A type with everything that serde derives use; recursive, so that text is as deep as it likes.
#[derive(Debug, Deserialize, PartialEq)]
#[serde(rename_all = "snake_case")]
enum Value {
    Nothing,
    Text(String),
    Integer(i64),
    Pair([bool; 2]),
    Maybe { maybe: Option<Box<Value>> },
    List(Vec<Value>),
    Map(BTreeMap<String, Value>),
}

pub(crate) fn run(text: &str) {
    let _ = json::read::<ApiError>(text);
    let _ = json::read::<Snapshot>(text);
    let _ = LobbyEvent::read("snapshot", text);
    match json::read::<Value>(text) {
        Ok(read) => {
            if let Ok(same) = serde_json::from_str::<Value>(text) {
                assert_eq!(read, same);
            }
        }
        Err(DecodeError::TooDeep) => {
            let opened = text.bytes().filter(|byte| b"[{".contains(byte)).count();
            assert!(opened > usize::from(MAX_DEPTH));
        }
        Err(DecodeError::Invalid) => {}
    }
}
