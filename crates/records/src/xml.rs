//! The part of XML that databases of games use: elements, attributes and text, read one after the other. There are no declarations
//! of entities, so nothing can grow.

use crate::error::ErrorKind;
use crate::text_source::TextSource;
use crate::{Place, RecordError};
use std::io::Read;

/// A piece of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    /// The start of an element.
    Start(Tag),
    /// The end of an element, of this name.
    End(String),
    /// Text in an element.
    Text(String),
}

/// The start of an element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Tag {
    pub(crate) name: String,
    pub(crate) attributes: Vec<(String, String)>,
    pub(crate) place: Place,
    /// Whether it ends at once: `<x/>`.
    pub(crate) is_empty: bool,
}

impl Tag {
    /// The value of an attribute, empty if there is none.
    pub(crate) fn get(&self, name: &str) -> &str {
        let found = self.attributes.iter().find(|(known, _)| known == name);
        found.map_or("", |(_, value)| value.trim())
    }
}

/// Reads the pieces of a document.
pub(crate) struct Pieces<R> {
    source: TextSource<R>,
}

impl<R: Read> Pieces<R> {
    pub(crate) fn open(input: R) -> Result<Self, RecordError> {
        let source = TextSource::open(input)?;
        Ok(Self { source })
    }

    pub(crate) fn place(&self) -> Place {
        self.source.place()
    }

    /// The next piece; `None` at the end. Comments, declarations and processing instructions are left out.
    pub(crate) fn next(&mut self) -> Result<Option<Piece>, RecordError> {
        loop {
            if self.source.rest().is_empty() && !self.source.more()? {
                return Ok(None);
            }
            if !self.source.rest().starts_with('<') {
                let len = self.find("<", 0)?.unwrap_or(self.source.rest().len());
                let (text, _) = self.source.take(len);
                return Ok(Some(Piece::Text(unescaped(&text))));
            }
            // Longer than the longest mark, unless the document ends before.
            while self.source.rest().len() < "<![CDATA[".len() && self.source.more()? {}
            let rest = self.source.rest();
            if rest.starts_with("<!--") {
                self.skip_past("-->")?;
            } else if rest.starts_with("<![CDATA[") {
                let start = "<![CDATA[".len();
                let Some(end) = self.find("]]>", start)? else {
                    return Err(self.cut_off());
                };
                let text = self.source.rest()[start..end].to_owned();
                self.source.skip(end + 3);
                return Ok(Some(Piece::Text(text)));
            } else if rest.starts_with("<?") {
                self.skip_past("?>")?;
            } else if rest.starts_with("<!") {
                self.skip_past(">")?;
            } else {
                return self.tag().map(Some);
            }
        }
    }

    /// The place of a part in the rest of the text, reading as much as it needs.
    fn find(&mut self, part: &str, from: usize) -> Result<Option<usize>, RecordError> {
        let mut searched = from;
        loop {
            let rest = self.source.rest();
            if let Some(found) = rest.get(searched..).and_then(|rest| rest.find(part)) {
                return Ok(Some(searched + found));
            }
            // A part may begin at the end of what has been read.
            searched = rest.len().saturating_sub(part.len() - 1).max(from);
            searched = rest.floor_char_boundary(searched);
            if !self.source.more()? {
                return Ok(None);
            }
        }
    }

    fn skip_past(&mut self, part: &str) -> Result<(), RecordError> {
        let Some(end) = self.find(part, 1)? else {
            return Err(self.cut_off());
        };
        self.source.skip(end + part.len());
        Ok(())
    }

    /// The fault of a document that ends in a mark; goes to its end, so that nothing is read again.
    fn cut_off(&mut self) -> RecordError {
        let len = self.source.rest().len();
        ErrorKind::CutOff.at(self.source.skip(len))
    }

    /// Reads a tag, which ends with the first `>` outside of quotation marks.
    fn tag(&mut self) -> Result<Piece, RecordError> {
        let mut at = 1;
        let mut quote = None;
        let end = 'found: loop {
            while let Some(&byte) = self.source.rest().as_bytes().get(at) {
                match (quote, byte) {
                    (None, b'>') => break 'found at,
                    (None, b'"' | b'\'') => quote = Some(byte),
                    (Some(open), byte) if byte == open => quote = None,
                    _ => {}
                }
                at += 1;
            }
            if !self.source.more()? {
                return Err(self.cut_off());
            }
        };
        let (text, place) = self.source.take(end + 1);
        let inner = &text[1..end];
        if let Some(name) = inner.strip_prefix('/') {
            return Ok(Piece::End(name.trim().to_owned()));
        }
        let (inner, is_empty) = match inner.strip_suffix('/') {
            Some(inner) => (inner, true),
            None => (inner, false),
        };
        let (name, rest) = inner.split_once(char::is_whitespace).unwrap_or((inner, ""));
        let attributes =
            attributes(rest).ok_or(ErrorKind::Expected("attributes of an element").at(place))?;
        Ok(Piece::Start(Tag {
            name: name.to_owned(),
            attributes,
            place,
            is_empty,
        }))
    }
}

/// The attributes of a tag: `a="1" b='2'`.
fn attributes(mut rest: &str) -> Option<Vec<(String, String)>> {
    let mut attributes = Vec::new();
    loop {
        rest = rest.trim_start();
        if rest.is_empty() {
            return Some(attributes);
        }
        let (name, tail) = rest.split_once('=')?;
        let tail = tail.trim_start();
        let quote = tail.chars().next().filter(|c| "\"'".contains(*c))?;
        let (value, tail) = tail[1..].split_once(quote)?;
        attributes.push((name.trim().to_owned(), unescaped(value)));
        rest = tail;
    }
}

/// A text with its entities replaced: the five of XML and numbers. Others stay as they are.
pub(crate) fn unescaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        plain.push_str(before);
        // The longest entity is a number of seven digits.
        let end = after.bytes().take(10).position(|byte| byte == b';');
        let character = end.and_then(|end| entity(&after[..end]));
        match (end, character) {
            (Some(end), Some(character)) => {
                plain.push(character);
                rest = &after[end + 1..];
            }
            _ => {
                plain.push('&');
                rest = after;
            }
        }
    }
    plain.push_str(rest);
    plain
}

fn entity(name: &str) -> Option<char> {
    match name {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        _ => {
            let number = name.strip_prefix('#')?;
            let code = match number.strip_prefix(['x', 'X']) {
                Some(number) => u32::from_str_radix(number, 16).ok()?,
                None => number.parse().ok()?,
            };
            char::from_u32(code)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(input: &[u8]) -> Result<Vec<String>, String> {
        let mut pieces = Pieces::open(input).unwrap();
        let mut all = Vec::new();
        loop {
            match pieces.next().map_err(|error| error.to_string())? {
                None => return Ok(all),
                Some(Piece::Start(tag)) => {
                    let attributes: Vec<_> = tag
                        .attributes
                        .iter()
                        .map(|(name, value)| format!(" {name}={value}"))
                        .collect();
                    all.push(format!(
                        "<{}{}{}",
                        tag.name,
                        attributes.concat(),
                        if tag.is_empty { "/" } else { "" }
                    ));
                }
                Some(Piece::End(name)) => all.push(format!("</{name}")),
                Some(Piece::Text(text)) => all.push(text),
            }
        }
    }

    #[test]
    fn a_document_has_pieces() {
        assert_eq!(
            told("\u{feff}<?xml version=\"1.0\"?><!DOCTYPE a><!-- <b> --><a x=\"1 > 0\" y = 'ё &amp; &#x41;&copy;'>t &lt;<b/><![CDATA[<&]]></a >".as_bytes()).unwrap(),
            ["<a x=1 > 0 y=ё & A&copy;", "t <", "<b/", "<&", "</a"]
        );
    }

    #[test]
    fn damage_has_its_place() {
        for (text, fault) in [
            (
                "<a>\n<b x=1>",
                "line 2, column 1: expected attributes of an element",
            ),
            ("<a x='", "line 1, column 1: the game is cut off"),
            ("<!-- ", "line 1, column 1: the game is cut off"),
            ("<a><![CDATA[", "line 1, column 4: the game is cut off"),
        ] {
            assert_eq!(told(text.as_bytes()).unwrap_err(), fault);
        }
    }

    #[test]
    fn marks_may_lie_between_blocks() {
        for len in (64 * 1024 - 12)..(64 * 1024 + 2) {
            let text = format!("{}<![CDATA[a]]><!--b--><c/>", "x".repeat(len));
            assert_eq!(told(text.as_bytes()).unwrap()[1..], ["a", "<c/"], "{len}");
        }
    }
}
