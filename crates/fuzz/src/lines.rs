//! Any bytes at all from a client of the line protocol: the same lines however they are cut, and one for each line break.

// The crate of the line protocol has the whole server in it; its reader uses nothing but a limit.
#[allow(dead_code)]
#[path = "../../line/src/codec.rs"]
mod codec;

use codec::{Received, Splitter};

fn read<'a>(parts: impl Iterator<Item = &'a [u8]>) -> Vec<Received> {
    let mut splitter = Splitter::default();
    let mut received = Vec::new();
    for mut rest in parts {
        while !rest.is_empty() {
            let (taken, line) = splitter.take(rest);
            assert!(taken > 0);
            rest = &rest[taken..];
            received.extend(line);
        }
    }
    received
}

pub(crate) fn run(bytes: &[u8]) {
    let Some((&size, bytes)) = bytes.split_first() else {
        return;
    };
    let whole = read(std::iter::once(bytes));
    assert_eq!(whole.len(), bytes.split(|byte| *byte == b'\n').count() - 1);
    assert_eq!(read(bytes.chunks(usize::from(size).max(1))), whole);
}
