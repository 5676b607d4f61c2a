//! Any bytes at all from a client of the line protocol: the same lines however they are cut, and one for each
//! line break and for a line that is too long.

// The crate of the line protocol has the whole server in it; its reader uses nothing but a limit.
#[allow(dead_code)]
#[path = "../../line/src/codec.rs"]
mod codec;

use codec::{Frame, LineCodec, Received};
use tochki_protocol::limits::LINE_MAX_BYTES;
use tokio_util::bytes::BytesMut;
use tokio_util::codec::Decoder as _;

fn read<'a>(parts: impl Iterator<Item = &'a [u8]>) -> Vec<Received> {
    let (mut codec, mut bytes) = (LineCodec::default(), BytesMut::new());
    let mut received = Vec::new();
    for part in parts {
        bytes.extend_from_slice(part);
        // A line of a megabyte is an error, which no input here is long enough for.
        while let Some(frame) = codec.decode(&mut bytes).expect("no line is endless") {
            if let Frame::Line(line) = frame {
                received.push(line);
            }
        }
    }
    received
}

pub(crate) fn run(bytes: &[u8]) {
    let Some((&size, bytes)) = bytes.split_first() else {
        return;
    };
    let mut lines = bytes.split(|byte| *byte == b'\n').rev();
    let too_long = lines
        .next()
        .is_some_and(|rest| rest.len() >= LINE_MAX_BYTES);
    let whole = read(std::iter::once(bytes));
    assert_eq!(whole.len(), lines.count() + usize::from(too_long));
    assert_eq!(read(bytes.chunks(usize::from(size).max(1))), whole);
}
