//! The forms of records.

use std::{fmt, str::FromStr};
use tochki_rules::GameKind;

/// A form of records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Form {
    /// SGF: Dots (`GM[40]`, in the dialects of its sites), Gomoku and Renju (`GM[4]`), Reversi (`GM[2]`), Dots and Boxes. Collections
    /// and variations.
    Sgf,
    /// Dots in SGF as zagram.org writes it. Read as any other SGF.
    Zagram,
    /// Dots in SGF as playdots.ru writes it. Read as any other SGF.
    Playdots,
    /// Lines of JSON, as `tochki export` and `tochki replay` have them: all games.
    Json,
    /// Gomoku: `.psq` of Piskvork and Gomocup.
    Psq,
    /// Gomoku: a line for each game, `h8i9…`.
    Points,
    /// Renju: the database of the Renju International Federation, XML. Only read.
    Rif,
    /// Renju: a library of `RenLib` with its variations. Only read.
    RenLib,
    /// Reversi: a line for each game, `f5d6c3…`.
    Transcript,
    /// Reversi: the Generic Game Format of the servers GGS and `NBoard`.
    Ggf,
    /// Reversi: games of the WTHOR database (`.wtb`), whose players and tournaments have files of their own.
    Wthor,
    /// Reversi: PGN as `PlayOK` (Kurnik) writes it. Only read.
    Pgn,
    /// Reversi: the commands of the `NBoard` protocol (`set game`, `move`). Only read.
    NBoard,
    /// Dots and Boxes: a line for each game, moves as pairs of dots (`a1b1`), as players of Little Golem write them. Only read.
    DotPairs,
}

impl Form {
    /// All forms.
    pub const ALL: [Self; 14] = [
        Self::Sgf,
        Self::Zagram,
        Self::Playdots,
        Self::Json,
        Self::Psq,
        Self::Points,
        Self::Rif,
        Self::RenLib,
        Self::Transcript,
        Self::Ggf,
        Self::Wthor,
        Self::Pgn,
        Self::NBoard,
        Self::DotPairs,
    ];

    /// The name in addresses and on the command line.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Sgf => "sgf",
            Self::Zagram => "zagram",
            Self::Playdots => "playdots",
            Self::Json => "json",
            Self::Psq => "psq",
            Self::Points => "points",
            Self::Rif => "rif",
            Self::RenLib => "renlib",
            Self::Transcript => "transcript",
            Self::Ggf => "ggf",
            Self::Wthor => "wthor",
            Self::Pgn => "pgn",
            Self::NBoard => "nboard",
            Self::DotPairs => "dot-pairs",
        }
    }

    /// Returns whether records of a game are written in this form.
    #[must_use]
    pub const fn writes(self, game: GameKind) -> bool {
        match self {
            Self::Sgf | Self::Json => true,
            Self::Zagram | Self::Playdots => matches!(game, GameKind::Dots),
            Self::Psq | Self::Points => matches!(game, GameKind::Gomoku),
            Self::Transcript | Self::Ggf | Self::Wthor => matches!(game, GameKind::Reversi),
            Self::Rif | Self::RenLib | Self::Pgn | Self::NBoard | Self::DotPairs => false,
        }
    }

    /// Returns whether nothing is written in this form.
    #[must_use]
    pub const fn is_read_only(self) -> bool {
        matches!(
            self,
            Self::Rif | Self::RenLib | Self::Pgn | Self::NBoard | Self::DotPairs
        )
    }

    /// The form of a file by the ending of its name, and by its first bytes where the name says nothing or too little.
    ///
    /// Lines of moves without anything else are of Reversi if no letter is beyond `h` and no number beyond 8.
    #[must_use]
    pub fn detect(name: &str, head: &[u8]) -> Option<Self> {
        let ending = name
            .rsplit_once('.')
            .map(|(_, ending)| ending.to_ascii_lowercase());
        match ending.as_deref() {
            Some("psq") => return Some(Self::Psq),
            Some("rif") => return Some(Self::Rif),
            Some("lib") => return Some(Self::RenLib),
            Some("ggf") => return Some(Self::Ggf),
            Some("wtb") => return Some(Self::Wthor),
            Some("pgn") => return Some(Self::Pgn),
            Some("json" | "jsonl" | "ndjson") => return Some(Self::Json),
            _ => {}
        }
        if head.starts_with(b"\xffRenLib\xff") {
            return Some(Self::RenLib);
        }
        let text = String::from_utf8_lossy(&head[..head.len().min(4096)])
            .replace(['\0', '\u{feff}', '\u{fffd}'], "");
        let text = text.trim_start();
        let lower = text.to_ascii_lowercase();
        let has = |part: &str| lower.contains(part);
        if text.starts_with('{') {
            Some(Self::Json)
        } else if lower.starts_with("piskvorky ") {
            Some(Self::Psq)
        } else if text.starts_with('<') && has("<game") || has("<database") {
            Some(Self::Rif)
        } else if lower.starts_with("nboard ") || has("set game (;") {
            Some(Self::NBoard)
        } else if has("gm[othello]") {
            Some(Self::Ggf)
        } else if text.contains("(;") || text.starts_with('(') || ending.as_deref() == Some("sgf") {
            Some(Self::Sgf)
        } else if text.starts_with('[') && has("]") {
            Some(Self::Pgn)
        } else {
            moves(&lower)
        }
    }
}

/// The form of lines of moves, if that is what a text in lower case is.
fn moves(text: &str) -> Option<Form> {
    let line = text.lines().find(|line| !line.trim().is_empty())?;
    let bytes = line.as_bytes();
    let is_point = |at: usize| {
        bytes[at].is_ascii_lowercase() && bytes.get(at + 1).is_some_and(u8::is_ascii_digit)
    };
    let is_alone = |at: usize| at == 0 || !bytes[at - 1].is_ascii_lowercase();
    let points: Vec<usize> = (0..bytes.len())
        .filter(|&at| is_point(at) && is_alone(at))
        .collect();
    let letters = bytes
        .iter()
        .filter(|byte| byte.is_ascii_lowercase())
        .count();
    // Nothing but points and separators: a letter of its own, as of a pass, is rare.
    if points.is_empty() || letters > points.len() + 8 {
        return None;
    }
    let of_reversi = |&at: &usize| {
        matches!(bytes[at], b'a'..=b'h')
            && matches!(bytes[at + 1], b'1'..=b'8')
            && !bytes.get(at + 2).is_some_and(u8::is_ascii_digit)
    };
    Some(if points.iter().all(of_reversi) {
        Form::Transcript
    } else {
        Form::Points
    })
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

impl FromStr for Form {
    type Err = UnknownForm;

    fn from_str(id: &str) -> Result<Self, UnknownForm> {
        let mut all = Self::ALL.into_iter();
        all.find(|form| form.id() == id).ok_or(UnknownForm)
    }
}

/// No form has that name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownForm;

impl fmt::Display for UnknownForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no form of records has this name; there are ")?;
        for (place, form) in Form::ALL.iter().enumerate() {
            write!(f, "{}{form}", if place > 0 { ", " } else { "" })?;
        }
        Ok(())
    }
}

impl std::error::Error for UnknownForm {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_goes_by_its_id() {
        for form in Form::ALL {
            assert_eq!(form.id().parse(), Ok(form));
            let writes = GameKind::ALL.iter().any(|&game| form.writes(game));
            assert_eq!(writes, !form.is_read_only(), "{form}");
        }
        assert_eq!("SGF".parse::<Form>(), Err(UnknownForm));
        assert!(UnknownForm.to_string().ends_with("there are sgf, zagram, playdots, json, psq, points, rif, renlib, transcript, ggf, wthor, pgn, nboard, dot-pairs"));
    }

    #[test]
    fn a_form_shows_by_name_or_beginning() {
        for (name, head, form) in [
            ("WTH_1977.wtb", &b""[..], Some(Form::Wthor)),
            ("a.PSQ", b"", Some(Form::Psq)),
            ("a.txt", b"Piskvorky 20x20, 11:11, 0", Some(Form::Psq)),
            ("", b"\xffRenLib\xff\x03\x04", Some(Form::RenLib)),
            ("", b"\xef\xbb\xbf(;GM[40]SZ[39:32]", Some(Form::Sgf)),
            ("", b"\xff\xfe(\0;\0G\0", Some(Form::Sgf)),
            ("", b"1 (;GM[Othello]PC[GGS/os]", Some(Form::Ggf)),
            ("", b"nboard 2\nset game (;GM[Othello]", Some(Form::NBoard)),
            ("", b"[Event \"?\"]\n[Site \"PlayOK\"]", Some(Form::Pgn)),
            ("", b"{\"game\":\"boxes\"", Some(Form::Json)),
            (
                "x.xml",
                b"<?xml version=\"1.0\"?><database><games>",
                Some(Form::Rif),
            ),
            ("", b"\n F5 d6 C3 -- d3", Some(Form::Transcript)),
            ("", b"f5d6c3", Some(Form::Transcript)),
            ("", b"h8i9h10", Some(Form::Points)),
            ("", b"dear friend, at 5 o'clock", None),
            ("", b"", None),
        ] {
            assert_eq!(Form::detect(name, head), form, "{}", head.escape_ascii());
        }
    }
}
