//! The numbers after a mark in bytes that come in pieces: the versions of events, the ids of players.

/// The bytes that have been read of a stream, and the mark that is looked for in them.
pub(crate) struct Numbers {
    mark: &'static [u8],
    read: Vec<u8>,
    /// The length of the searched bytes.
    at: usize,
}

impl Numbers {
    pub(crate) fn after(mark: &'static [u8]) -> Self {
        Self {
            mark,
            read: Vec::new(),
            at: 0,
        }
    }

    /// Returns the buffer to which further bytes are appended, once there is no [`Self::next`] number.
    pub(crate) fn buffer(&mut self) -> &mut Vec<u8> {
        &mut self.read
    }

    /// Returns the next number; `None` when more has to be read. A mark without a number behind it is passed over.
    pub(crate) fn next(&mut self) -> Option<usize> {
        while let Some(found) = find(&self.read[self.at..], self.mark) {
            let mark = self.at + found;
            let begin = mark + self.mark.len();
            let digits = self.read[begin..]
                .iter()
                .take_while(|byte| byte.is_ascii_digit());
            let end = begin + digits.count();
            if end == self.read.len() {
                // It may go on.
                self.keep_from(mark);
                return None;
            }
            self.at = end;
            let number = std::str::from_utf8(&self.read[begin..end]).ok();
            if let Some(number) = number.and_then(|number| number.parse().ok()) {
                return Some(number);
            }
        }
        // A mark may have begun at the end.
        let rest = (self.read.len() + 1).saturating_sub(self.mark.len());
        self.keep_from(rest.max(self.at));
        None
    }

    fn keep_from(&mut self, at: usize) {
        self.read.drain(..at);
        self.at = 0;
    }
}

/// Returns the beginning of `part`.
pub(crate) fn find(bytes: &[u8], part: &[u8]) -> Option<usize> {
    bytes.windows(part.len()).position(|window| window == part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_found_wherever_the_bytes_are_cut() {
        let bytes = b"retry: 2000\n\n1f\r\nid: 7\nevent: moved\ndata: {\"mv\":\"1,2\"}\n\n\r\nid: \nid: 12\nid: 345\n";
        for size in 1..=bytes.len() {
            let mut numbers = Numbers::after(b"id: ");
            let mut found = Vec::new();
            for piece in bytes.chunks(size) {
                numbers.buffer().extend_from_slice(piece);
                while let Some(number) = numbers.next() {
                    found.push(number);
                }
                let kept = numbers.buffer().len();
                assert!(kept < 8, "{kept} bytes are kept");
            }
            assert_eq!(found, [7, 12, 345], "in pieces of {size}");
        }
    }

    #[test]
    fn only_numbers_after_the_mark_count() {
        let mut numbers = Numbers::after(b"event: joined\ndata: {\"id\":");
        let frames = b"event: snapshot\ndata: {\"players\":[{\"id\":1}]}\n\nevent: joined\ndata: {\"id\":23,\"name\":\"a\"}\n\nevent: left\ndata: {\"id\":4}\n\n";
        numbers.buffer().extend_from_slice(frames);
        assert_eq!(numbers.next(), Some(23));
        assert_eq!(numbers.next(), None);
    }
}
