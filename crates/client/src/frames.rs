//! Incremental parser of server-sent events.

/// An event of a stream.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Frame {
    /// The version, where the event has one.
    pub(crate) id: Option<u32>,
    pub(crate) name: String,
    pub(crate) data: String,
}

/// The bytes of a stream, up to the first event that has not come whole.
#[derive(Debug, Default)]
pub(crate) struct Frames {
    bytes: Vec<u8>,
    /// The length of the searched bytes, which have no end of a line.
    searched: usize,
    event: Frame,
}

impl Frames {
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// Returns the next event that has come whole.
    pub(crate) fn next(&mut self) -> Option<Frame> {
        loop {
            let unsearched = &self.bytes[self.searched..];
            let Some(end) = unsearched.iter().position(|byte| *byte == b'\n') else {
                self.searched = self.bytes.len();
                return None;
            };
            let rest = self.bytes.split_off(self.searched + end + 1);
            let line = std::mem::replace(&mut self.bytes, rest);
            self.searched = 0;
            let line = String::from_utf8_lossy(&line);
            let line = line.trim_end_matches(['\n', '\r']);
            if line.is_empty() {
                let event = std::mem::take(&mut self.event);
                if !event.name.is_empty() {
                    return Some(event);
                }
                continue;
            }
            let (field, value) = line.split_once(':').unwrap_or((line, ""));
            let value = value.strip_prefix(' ').unwrap_or(value);
            match field {
                "id" => self.event.id = value.parse().ok(),
                "event" => value.clone_into(&mut self.event.name),
                "data" => {
                    if !self.event.data.is_empty() {
                        self.event.data.push('\n');
                    }
                    self.event.data.push_str(value);
                }
                // Comments are signs of life, and how soon to come again is our own affair.
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_the_same_however_their_bytes_are_cut() {
        let text = "retry: 2000\n\n:\n\nid: 7\nevent: moved\ndata: {\"mv\":\"5,5\"}\n\nevent: said\r\ndata: é\r\ndata: b\r\n\r\nevent: cut\n";
        let expected = [
            Frame {
                id: Some(7),
                name: "moved".into(),
                data: r#"{"mv":"5,5"}"#.into(),
            },
            Frame {
                id: None,
                name: "said".into(),
                data: "é\nb".into(),
            },
        ];
        for size in 1..=text.len() {
            let mut frames = Frames::default();
            let mut read = Vec::new();
            for part in text.as_bytes().chunks(size) {
                frames.push(part);
                read.extend(std::iter::from_fn(|| frames.next()));
            }
            assert_eq!(read, expected, "in parts of {size}");
        }
    }
}
