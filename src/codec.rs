//! How answers travel: as JSON, which a browser reads with as little code as it can.

use leptos::server_fn::codec::Post;
use leptos::server_fn::{Bytes, ContentType, Decodes, Encodes, Format, FormatType};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tochki_protocol::json::{self, Unreadable};

/// The answer of a server function. It is what Leptos calls `Json`, but for the reading.
pub type Answer = Post<Encoding>;

/// JSON, written by `serde_json` and read by [`json`].
pub struct Encoding;

impl ContentType for Encoding {
    const CONTENT_TYPE: &'static str = "application/json";
}

impl FormatType for Encoding {
    const FORMAT_TYPE: Format = Format::Text;
}

impl<T: Serialize> Encodes<T> for Encoding {
    type Error = serde_json::Error;

    fn encode(answer: &T) -> Result<Bytes, serde_json::Error> {
        serde_json::to_vec(answer).map(Bytes::from)
    }
}

impl<T: DeserializeOwned> Decodes<T> for Encoding {
    type Error = Unreadable;

    fn decode(answer: Bytes) -> Result<T, Unreadable> {
        json::read(str::from_utf8(&answer).map_err(|_| Unreadable)?)
    }
}
