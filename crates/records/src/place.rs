//! Places in what is read: line and column of a text, offset of a binary form.

use std::fmt;

/// A place in an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// A place in a text. Line and column are counted from 1, columns in characters.
    Text {
        /// The line. It ends with LF, CR or CRLF.
        line: u64,
        /// The column.
        column: u64,
    },
    /// The number of bytes before the place, in a binary form.
    Byte(u64),
}

impl Place {
    /// The first place of a text.
    pub const START: Self = Self::Text { line: 1, column: 1 };

    /// The place of a column in a line.
    pub(crate) const fn text(line: u64, column: u64) -> Self {
        Self::Text { line, column }
    }

    /// The place after this text, which begins here.
    pub(crate) fn after(self, text: &str) -> Self {
        let Self::Text {
            mut line,
            mut column,
        } = self
        else {
            return self;
        };
        let mut characters = text.chars().peekable();
        while let Some(c) = characters.next() {
            let ends = match c {
                '\n' => true,
                // CRLF is one end, at its LF.
                '\r' => characters.peek() != Some(&'\n'),
                _ => false,
            };
            if ends {
                line += 1;
                column = 1;
            } else {
                column += 1;
            }
        }
        Self::Text { line, column }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text { line, column } => write!(f, "line {line}, column {column}"),
            Self::Byte(offset) => write!(f, "byte {offset}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_end_ends_one_line() {
        for (text, line, column) in [
            ("", 1, 1),
            ("aЁ", 1, 3),
            ("a\nb", 2, 2),
            ("a\rb", 2, 2),
            ("a\r\nb", 2, 2),
            ("a\n\rb", 3, 2),
            ("\r\n\r\n", 3, 1),
        ] {
            assert_eq!(
                Place::START.after(text),
                Place::text(line, column),
                "{text:?}"
            );
        }
        assert_eq!(Place::Byte(7).after("a\n"), Place::Byte(7));
        assert_eq!(Place::text(3, 9).to_string(), "line 3, column 9");
        assert_eq!(Place::Byte(84).to_string(), "byte 84");
    }
}
