//! The texts of the games of a collection, cut out of a stream where [`game_trees`](tochki_rules::record::tree::game_trees) would
//! end them.

use crate::error::ErrorKind;
use crate::text_source::TextSource;
use crate::{Place, RecordError};
use std::io::Read;

/// The most nodes and values of a game: each of them takes up to a hundred bytes of memory for two of text.
const MAX_PIECES: usize = 1_000_000;

/// The texts of the game trees of an input.
pub(super) struct GameTexts<R> {
    source: TextSource<R>,
}

/// The state of the search for the end of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Before a tree.
    Outside,
    /// After a parenthesis outside, at this byte, and white space: a tree if a semicolon follows.
    Opened(usize),
    /// In a tree.
    Nodes {
        /// Whether a value may follow, after an identifier or another value.
        after_name: bool,
    },
    /// In a value.
    Value {
        /// Whether the next character is escaped.
        escaped: bool,
    },
}

impl<R: Read> GameTexts<R> {
    pub(super) fn open(input: R) -> Result<Self, RecordError> {
        let source = TextSource::open(input)?;
        Ok(Self { source })
    }

    /// The next text with its place; `None` at the end. A tree without an end goes to the end of the input.
    pub(super) fn next(&mut self) -> Result<Option<(String, Place)>, RecordError> {
        let mut state = State::Outside;
        let mut start = 0;
        let mut depth = 0_usize;
        let mut at = 0;
        let mut pieces = 0;
        loop {
            while let Some(&byte) = self.source.rest().as_bytes().get(at) {
                state = match state {
                    State::Outside | State::Opened(_) if byte == b'(' => State::Opened(at),
                    State::Opened(opened) if byte == b';' => {
                        start = opened;
                        depth = 1;
                        State::Nodes { after_name: false }
                    }
                    State::Opened(_) if byte.is_ascii_whitespace() => state,
                    State::Outside | State::Opened(_) => State::Outside,
                    State::Nodes { after_name } => match byte {
                        b'[' if after_name => State::Value { escaped: false },
                        b'(' => {
                            depth += 1;
                            State::Nodes { after_name: false }
                        }
                        b')' => {
                            depth -= 1;
                            State::Nodes { after_name: false }
                        }
                        byte if byte.is_ascii_alphabetic() => State::Nodes { after_name: true },
                        byte if byte.is_ascii_whitespace() => state,
                        _ => State::Nodes { after_name: false },
                    },
                    State::Value { escaped: true } => State::Value { escaped: false },
                    State::Value { escaped: false } => match byte {
                        b']' => State::Nodes { after_name: true },
                        b'\\' => State::Value { escaped: true },
                        _ => state,
                    },
                };
                at += 1;
                pieces += usize::from(match state {
                    State::Nodes { .. } => byte == b';',
                    State::Value { .. } => byte == b'[',
                    _ => false,
                });
                if pieces > MAX_PIECES {
                    return Err(ErrorKind::TooLong.at(self.source.place()));
                }
                if depth == 0 && matches!(state, State::Nodes { .. }) {
                    self.source.skip(start);
                    return Ok(Some(self.source.take(at - start)));
                }
            }
            match state {
                // Nothing before is of a tree, so that any text without one is read in a piece of memory.
                State::Outside => {
                    // A line end of two characters is counted as a whole.
                    let kept = usize::from(self.source.rest().ends_with('\r'));
                    self.source.skip(at - kept);
                    at = kept;
                }
                State::Opened(opened) if opened > 0 => {
                    self.source.skip(opened);
                    at -= opened;
                    state = State::Opened(0);
                }
                _ => {}
            }
            if !self.source.more()? {
                if depth == 0 {
                    return Ok(None);
                }
                self.source.skip(start);
                return Ok(Some(self.source.take(at - start)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tochki_rules::record::tree::game_trees;

    #[track_caller]
    fn texts(input: &str) -> Vec<(String, Place)> {
        let mut texts = GameTexts::open(input.as_bytes()).unwrap();
        let mut all = Vec::new();
        while let Some(text) = texts.next().unwrap() {
            all.push(text);
        }
        all
    }

    #[test]
    fn a_collection_is_cut_into_its_trees() {
        let input = "see (this):\n(;A[1];B[\\]2)](;C[3]))\r\n and ( ;D[x)] E [y] )(;F";
        let expected = [
            ("(;A[1];B[\\]2)](;C[3]))", Place::text(2, 1)),
            ("( ;D[x)] E [y] )", Place::text(3, 6)),
            ("(;F", Place::text(3, 22)),
        ];
        let expected = expected.map(|(text, place)| (text.to_owned(), place));
        assert_eq!(texts(input), expected);
    }

    #[test]
    fn trees_end_as_they_do_for_the_parser() {
        for input in [
            "(;[)](;B[aa])",
            "(;A7[)];B[x])(;)",
            "(;a b[)]) (;C[ )",
            "((;A[1])(;B[2])",
            "(;A[\\",
            "()(;)(;)",
            "(;A[1])) (;B[2])",
            "(x(;A[1])",
            "",
            "no game",
        ] {
            let cut: Vec<_> = texts(input).into_iter().map(|(text, _)| text).collect();
            let trees = game_trees(input);
            assert_eq!(cut.len(), trees.len(), "{input}");
            for (text, tree) in cut.iter().zip(trees) {
                let again = game_trees(text);
                assert_eq!(again.len(), 1, "{input}: {text}");
                assert_eq!(again[0].parents, tree.parents, "{input}: {text}");
            }
        }
    }

    #[test]
    fn a_game_of_too_many_nodes_ends_the_reading() {
        for piece in [";", "A[]", ";B[aa]", "(;)"] {
            let input = format!("(;{}", piece.repeat(MAX_PIECES + 1));
            let error = GameTexts::open(input.as_bytes())
                .unwrap()
                .next()
                .unwrap_err();
            assert!(matches!(error.kind, ErrorKind::TooLong), "{piece}");
        }
    }

    #[test]
    fn a_text_without_games_takes_no_memory() {
        let input = std::io::Read::take(std::io::repeat(b'x'), 17_000_000);
        assert_eq!(GameTexts::open(input).unwrap().next().unwrap(), None);
    }
}
