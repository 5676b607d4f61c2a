//! The names of players and tournaments, which the games refer to by their numbers.

use super::head::{HEAD, Head, NAMES};
use crate::error::ErrorKind;
use crate::{Form, Place, RecordError, WriteError};
use encoding_rs::{UTF_8, WINDOWS_1252};
use std::collections::HashMap;
use std::io::Read;
use std::sync::Arc;

/// The players and tournaments of a database.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    players: Arc<[String]>,
    tournaments: Arc<[String]>,
}

impl Names {
    /// Reads the players, a file `.jou`.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or is no such file.
    pub fn with_players(self, input: impl Read) -> Result<Self, RecordError> {
        let players = read(input, NAMES[0])?.into();
        Ok(Self { players, ..self })
    }

    /// Reads the tournaments, a file `.trn`.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or is no such file.
    pub fn with_tournaments(self, input: impl Read) -> Result<Self, RecordError> {
        let tournaments = read(input, NAMES[1])?.into();
        Ok(Self {
            tournaments,
            ..self
        })
    }

    /// The players, by their numbers.
    #[must_use]
    pub fn players(&self) -> &[String] {
        &self.players
    }

    /// The tournaments, by their numbers.
    #[must_use]
    pub fn tournaments(&self) -> &[String] {
        &self.tournaments
    }
}

/// Reads names of this length. There are at most 65,536, because games have 16 bits for a number.
fn read(input: impl Read, len: usize) -> Result<Vec<String>, RecordError> {
    let most = HEAD + (usize::from(u16::MAX) + 1) * len;
    let mut bytes = Vec::new();
    let read = input.take(most as u64 + 1).read_to_end(&mut bytes);
    read.map_err(|error| ErrorKind::Io(error).at(Place::Byte(0)))?;
    let Some((head, entries)) = bytes.split_first_chunk::<HEAD>() else {
        return Err(ErrorKind::NotThisForm(Form::Wthor).at(Place::Byte(0)));
    };
    let head = Head::parse(*head);
    // The files of today have the number where that of games is.
    let count = (head.count as usize).max(usize::from(head.names));
    if bytes.len() > most || count > usize::from(u16::MAX) + 1 {
        return Err(ErrorKind::TooLong.at(Place::Byte(0)));
    }
    let entries = entries.chunks_exact(len).take(count);
    if entries.len() < count {
        return Err(ErrorKind::CutOff.at(Place::Byte(bytes.len() as u64)));
    }
    Ok(entries.map(name).collect())
}

/// The name in an entry, up to its zero.
fn name(entry: &[u8]) -> String {
    let name = entry.split(|&byte| byte == 0).next().unwrap_or_default();
    let encoding = if std::str::from_utf8(name).is_ok() {
        UTF_8
    } else {
        WINDOWS_1252
    };
    encoding
        .decode_without_bom_handling(name)
        .0
        .trim()
        .to_owned()
}

/// Names that get their numbers as they come.
#[derive(Debug)]
pub(super) struct Numbered {
    names: Vec<String>,
    numbers: HashMap<String, u16>,
    len: usize,
}

impl Numbered {
    /// Begins a list, whose first name is the unknown one.
    pub(super) fn new(len: usize) -> Self {
        let mut list = Self {
            names: Vec::new(),
            numbers: HashMap::new(),
            len,
        };
        let _ = list.number("");
        list
    }

    /// The number of a name.
    ///
    /// # Errors
    ///
    /// If there are too many.
    pub(super) fn number(&mut self, name: &str) -> Result<u16, WriteError> {
        let name = if name.trim().is_empty() {
            "???"
        } else {
            name.trim()
        };
        let cut = self.cut(name);
        if let Some(&number) = self.numbers.get(&cut) {
            return Ok(number);
        }
        let number = u16::try_from(self.names.len()).map_err(|_| WriteError::TooManyNames)?;
        self.numbers.insert(cut.clone(), number);
        self.names.push(cut);
        Ok(number)
    }

    /// The part of a name that fits.
    fn cut(&self, name: &str) -> String {
        name.chars()
            .take(self.len - 1)
            .map(|c| if c.is_control() { ' ' } else { c })
            .collect()
    }

    /// The bytes of a file with these names.
    pub(super) fn bytes(&self, now: u64) -> Vec<u8> {
        let head = Head {
            count: self.names.len() as u32,
            ..Head::default()
        };
        let mut bytes = head.bytes(now).to_vec();
        for name in &self.names {
            let from = bytes.len();
            bytes.extend(name.chars().map(western));
            bytes.resize(from + self.len, 0);
        }
        bytes
    }
}

/// A character in the encoding of Western Europe, as the names of the database have it; others are a question mark.
fn western(c: char) -> u8 {
    let mut utf8 = [0; 4];
    let (bytes, _, is_replaced) = WINDOWS_1252.encode(c.encode_utf8(&mut utf8));
    match &*bytes {
        &[byte] if !is_replaced => byte,
        _ => b'?',
    }
}
