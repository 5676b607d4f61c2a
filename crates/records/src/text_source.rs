//! A text that is read and decoded piece by piece.

use crate::error::ErrorKind;
use crate::{MAX_GAME_LEN, Place, RecordError, encodings};
use encoding_rs::Decoder;
use std::io::Read;

/// The number of bytes that are read at a time, and the most by which an encoding is found.
const BLOCK: usize = 64 * 1024;

/// The decoded text of an input from the current place on, as far as it has been read.
pub(crate) struct TextSource<R> {
    input: R,
    block: Vec<u8>,
    /// The decoder; `None` as long as everything was ASCII and nothing is stated.
    decoder: Option<Decoder>,
    text: String,
    /// The current place in the text.
    at: usize,
    place: Place,
    has_ended: bool,
}

/// A line without its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) number: u64,
    pub(crate) text: String,
}

impl Line {
    /// The place of a part of this line.
    pub(crate) fn place_of(&self, part: &str) -> Place {
        let at = part.as_ptr().addr().checked_sub(self.text.as_ptr().addr());
        let before = at.and_then(|at| self.text.get(..at)).unwrap_or_default();
        Place::text(self.number, before.chars().count() as u64 + 1)
    }

    /// The place of its first character.
    pub(crate) const fn place(&self) -> Place {
        Place::text(self.number, 1)
    }
}

impl<R: Read> TextSource<R> {
    /// Begins to read.
    pub(crate) fn open(input: R) -> Result<Self, RecordError> {
        let mut source = Self {
            input,
            block: Vec::with_capacity(BLOCK),
            decoder: None,
            text: String::new(),
            at: 0,
            place: Place::START,
            has_ended: false,
        };
        source.fill_block()?;
        if let Some(encoding) = encodings::stated(&source.block) {
            source.decoder = Some(encoding.new_decoder_with_bom_removal());
        }
        source.decode_block();
        Ok(source)
    }

    /// The text that has been read from the current place on.
    pub(crate) fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    pub(crate) const fn place(&self) -> Place {
        self.place
    }

    /// Reads more; returns whether there is any.
    pub(crate) fn more(&mut self) -> Result<bool, RecordError> {
        if self.text.len() - self.at > MAX_GAME_LEN {
            return Err(ErrorKind::TooLong.at(self.place));
        }
        if self.has_ended {
            return Ok(false);
        }
        if self.at > 0 {
            self.text.drain(..self.at);
            self.at = 0;
        }
        self.fill_block()?;
        self.decode_block();
        Ok(true)
    }

    /// Goes over so many bytes of [`Self::rest`], and returns the place where they begin.
    pub(crate) fn skip(&mut self, len: usize) -> Place {
        let place = self.place;
        self.place = place.after(&self.text[self.at..self.at + len]);
        self.at += len;
        place
    }

    /// Takes so many bytes of [`Self::rest`] out.
    pub(crate) fn take(&mut self, len: usize) -> (String, Place) {
        let text = self.text[self.at..self.at + len].to_owned();
        (text, self.skip(len))
    }

    /// The next line, `None` at the end of the text. After the last line end there is no other line.
    pub(crate) fn line(&mut self) -> Result<Option<Line>, RecordError> {
        let mut searched = 0;
        let (len, end) = loop {
            let rest = self.rest().as_bytes();
            let found = rest[searched..]
                .iter()
                .position(|&byte| byte == b'\n' || byte == b'\r');
            if let Some(found) = found {
                let len = searched + found;
                match rest[len..] {
                    [b'\r', b'\n', ..] => break (len, 2),
                    [b'\r'] if !self.has_ended => searched = len,
                    _ => break (len, 1),
                }
            } else {
                searched = rest.len();
            }
            if !self.more()? {
                match (found, self.rest().len()) {
                    (Some(_), _) => {}
                    (None, 0) => return Ok(None),
                    (None, len) => break (len, 0),
                }
            }
        };
        let Place::Text { line: number, .. } = self.place else {
            return Ok(None);
        };
        let text = self.rest()[..len].to_owned();
        self.at += len + end;
        self.place = Place::text(number + 1, 1);
        Ok(Some(Line { number, text }))
    }

    fn fill_block(&mut self) -> Result<(), RecordError> {
        self.block.clear();
        let mut input = self.input.by_ref().take(BLOCK as u64);
        let read = input.read_to_end(&mut self.block);
        let len = read.map_err(|error| ErrorKind::Io(error).at(self.place))?;
        self.has_ended = len < BLOCK;
        Ok(())
    }

    fn decode_block(&mut self) {
        if self.decoder.is_none() {
            if self.block.is_ascii() {
                // Every encoding without a mark has ASCII, but for UTF-16, which was looked for.
                self.text
                    .push_str(std::str::from_utf8(&self.block).unwrap_or_default());
                return;
            }
            let encoding = encodings::detected(&self.block);
            self.decoder = Some(encoding.new_decoder_without_bom_handling());
        }
        let Some(decoder) = &mut self.decoder else {
            return;
        };
        let needed = decoder.max_utf8_buffer_length(self.block.len());
        self.text
            .reserve(needed.unwrap_or(3 * self.block.len() + 16));
        // What cannot be decoded becomes U+FFFD.
        let _ = decoder.decode_to_string(&self.block, &mut self.text, self.has_ended);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use encoding_rs::WINDOWS_1251;

    /// Gives one byte at a time.
    struct Slow<'a>(&'a [u8]);

    impl Read for Slow<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let len = buffer.len().min(1);
            self.0.read(&mut buffer[..len])
        }
    }

    #[track_caller]
    fn lines(input: &[u8]) -> Vec<String> {
        let mut source = TextSource::open(Slow(input)).unwrap();
        let mut lines = Vec::new();
        while let Some(line) = source.line().unwrap() {
            assert_eq!(line.number, lines.len() as u64 + 1);
            lines.push(line.text);
        }
        lines
    }

    #[test]
    fn lines_end_in_every_way() {
        assert_eq!(lines(b"a\nb\r\nc\rd\n\ne"), ["a", "b", "c", "d", "", "e"]);
        assert_eq!(lines(b"a\r"), ["a"]);
        assert_eq!(lines(b"a\r\n"), ["a"]);
        assert_eq!(lines(b"\r\r\n"), ["", ""]);
        assert!(lines(b"").is_empty());
    }

    #[test]
    fn a_line_end_is_one_also_between_two_blocks() {
        for before in [BLOCK - 2, BLOCK - 1, BLOCK, BLOCK + 1] {
            let input = "x".repeat(before) + "\r\ny\r\n";
            assert_eq!(
                lines(input.as_bytes()),
                ["x".repeat(before), "y".to_owned()]
            );
        }
    }

    #[test]
    fn an_encoding_is_found_where_its_first_letters_are() {
        let text = "x\n".repeat(BLOCK) + "Партия сыграна в субботу, чёрные начали и выиграли";
        assert_eq!(
            lines(&WINDOWS_1251.encode(&text).0).concat(),
            text.replace('\n', "")
        );
        assert_eq!(lines(text.as_bytes()).concat(), text.replace('\n', ""));
        assert_eq!(lines(b"\xff\xfea\0\n\0\x10\x04"), ["a", "А"]);
    }

    #[test]
    fn a_text_without_line_ends_ends_the_reading() {
        let mut source = TextSource::open(std::io::repeat(b'x')).unwrap();
        let error = source.line().unwrap_err();
        assert!(matches!(error.kind, ErrorKind::TooLong), "{error}");
    }

    #[test]
    fn a_part_of_a_line_has_its_place() {
        let line = Line {
            number: 3,
            text: "Ёж 12".to_owned(),
        };
        assert_eq!(line.place_of(&line.text["Ёж ".len()..]), Place::text(3, 4));
        assert_eq!(line.place_of(&line.text), line.place());
        assert_eq!(line.place_of("of another text"), Place::text(3, 1));
    }
}
