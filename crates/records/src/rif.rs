//! The database of the Renju International Federation, an XML file (`renjunet_v10_*.rif`): lists of rules, openings, players and
//! tournaments, then the games, which refer to them by number. Its shape is taken from programs that import it.
//!
//! ```text
//! <game id="1" tournament="1" round="F2" rule="1" black="1" white="2" bresult="1" opening="21" alt="i8" swap="R">
//! <move>h8 h9 h7</move>
//! </game>
//! ```

use crate::builder::Builder;
use crate::error::ErrorKind;
use crate::xml::{Piece, Pieces, Tag};
use crate::{Form, GameRecord, MAX_GAME_LEN, Place, Placed, RecordError, StopReason};
use std::collections::HashMap;
use std::io::Read;
use tochki_rules::gomoku::{Rule, Setup};
use tochki_rules::record::{GameResult, WinReason};
use tochki_rules::{Move, Seat};

/// Reads the games of a database. The lists of names are in memory.
pub(crate) struct Reader<R> {
    pieces: Pieces<R>,
    lists: Lists,
    /// The start of the next game, where the one before has no end.
    next: Option<Tag>,
    has_any: bool,
    has_ended: bool,
}

/// The names that games refer to, by number.
#[derive(Default)]
struct Lists {
    rules: HashMap<String, String>,
    players: HashMap<String, String>,
    tournaments: HashMap<String, Tournament>,
    /// The bytes of all of them.
    len: usize,
}

#[derive(Clone, Default)]
struct Tournament {
    name: String,
    date: String,
}

impl<R: Read> Reader<R> {
    pub(crate) fn open(input: R) -> Result<Self, RecordError> {
        Ok(Self {
            pieces: Pieces::open(input)?,
            lists: Lists::default(),
            next: None,
            has_any: false,
            has_ended: false,
        })
    }

    fn game(&mut self) -> Result<Option<GameRecord>, RecordError> {
        if self.has_ended {
            return Ok(None);
        }
        loop {
            let piece = match self.next.take() {
                Some(tag) => Some(Piece::Start(tag)),
                None => self.pieces.next()?,
            };
            match piece {
                Some(Piece::Start(tag)) if tag.name == "game" => {
                    self.has_any = true;
                    return self.read_game(tag).map(Some);
                }
                Some(Piece::Start(tag)) => {
                    self.lists.take(&tag);
                    if self.lists.len > MAX_GAME_LEN {
                        return Err(ErrorKind::TooLong.at(tag.place));
                    }
                }
                Some(_) => {}
                None => {
                    self.has_ended = true;
                    if self.has_any {
                        return Ok(None);
                    }
                    return Err(ErrorKind::NotThisForm(Form::Rif).at(Place::START));
                }
            }
        }
    }

    /// Reads a game whose start has been read.
    fn read_game(&mut self, tag: Tag) -> Result<GameRecord, RecordError> {
        let mut texts = Texts::default();
        let mut element = String::new();
        let mut is_open = !tag.is_empty;
        while is_open {
            let place = self.pieces.place();
            match self.pieces.next()? {
                Some(Piece::Start(inner)) if inner.name == "game" => {
                    self.next = Some(inner);
                    return Err(ErrorKind::CutOff.at(tag.place));
                }
                Some(Piece::Start(inner)) if !inner.is_empty => element = inner.name,
                Some(Piece::Start(_)) => {}
                Some(Piece::End(name)) if name == "game" => is_open = false,
                Some(Piece::End(name)) if name == "games" || name == "database" => {
                    return Err(ErrorKind::CutOff.at(tag.place));
                }
                Some(Piece::End(_)) => element.clear(),
                Some(Piece::Text(text)) => {
                    texts.take(&element, text, place);
                    if texts.len > MAX_GAME_LEN {
                        return Err(ErrorKind::TooLong.at(tag.place));
                    }
                }
                None => return Err(ErrorKind::CutOff.at(tag.place)),
            }
        }
        let setup =
            Setup::new(15, Rule::Freestyle).map_err(|_| ErrorKind::InvalidSize.at(tag.place))?;
        let mut builder = Builder::line(tochki_rules::Setup::Gomoku(setup));
        self.lists.describe(&mut builder.record, &tag)?;
        let record = &mut builder.record;
        record.result = match tag.get("bresult") {
            "1" => Some(won(Seat::First)),
            "0" => Some(won(Seat::Second)),
            "0.5" => Some(GameResult::Draw),
            "" => None,
            _ => return Err(ErrorKind::Expected("1, 0.5 or 0 as bresult").at(tag.place)),
        };
        record.comment = texts.info;
        'moves: for (text, begin) in &texts.moves {
            for word in text.split_whitespace() {
                if let Err(why) = play(&mut builder, setup, word) {
                    let at = word.as_ptr().addr() - text.as_ptr().addr();
                    builder.stop(why, begin.after(&text[..at]));
                    break 'moves;
                }
            }
        }
        Ok(builder.finish())
    }
}

/// The texts of a game. A comment in the middle makes two texts of one.
#[derive(Default)]
struct Texts {
    /// Texts of moves, each with its place.
    moves: Vec<(String, Place)>,
    info: String,
    /// The bytes of memory of all of them, about.
    len: usize,
}

impl Texts {
    fn take(&mut self, element: &str, text: String, place: Place) {
        match element {
            "move" => {
                self.len += text.len() + size_of::<(String, Place)>();
                self.moves.push((text, place));
            }
            "info" => {
                self.len += text.len();
                self.info.push_str(text.trim());
            }
            _ => {}
        }
    }
}

fn play(builder: &mut Builder, setup: Setup, word: &str) -> Result<(), StopReason> {
    let mv = Move::Gomoku(setup.parse_point(word)?);
    let seat = builder.turn();
    builder.play_as(Placed { seat, mv }, None)
}

impl<R: Read> Iterator for Reader<R> {
    type Item = Result<GameRecord, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.game().transpose()
    }
}

const fn won(by: Seat) -> GameResult {
    let how = WinReason::Unknown;
    GameResult::Won { by, how }
}

impl Lists {
    /// Takes an entry of a list.
    fn take(&mut self, tag: &Tag) {
        let id = tag.get("id").to_owned();
        let name = tag.get("name");
        let before = self.len;
        self.len += id.len() + name.len() + 64;
        match &*tag.name {
            "rule" => {
                self.rules.insert(id, name.to_owned());
            }
            "player" => {
                let name = format!("{name} {}", tag.get("surname"));
                self.len += tag.get("surname").len();
                self.players.insert(id, name.trim().to_owned());
            }
            "tournament" => {
                let date = match tag.get("start") {
                    "" => tag.get("year"),
                    start => start,
                };
                let tournament = Tournament {
                    name: name.to_owned(),
                    date: date.to_owned(),
                };
                self.len += date.len();
                self.tournaments.insert(id, tournament);
            }
            _ => self.len = before,
        }
    }

    /// Takes the names of a game into its record.
    fn describe(&self, record: &mut GameRecord, tag: &Tag) -> Result<(), RecordError> {
        for (player, name) in record.players.iter_mut().zip(["black", "white"]) {
            player.name = named(&self.players, tag, name)?;
        }
        record.rules = named(&self.rules, tag, "rule")?;
        if record.rules.is_empty() {
            "Renju".clone_into(&mut record.rules);
        }
        let tournament = match tag.get("tournament") {
            "" => Tournament::default(),
            id => self
                .tournaments
                .get(id)
                .cloned()
                .ok_or_else(|| unknown(tag, id))?,
        };
        record.event = tournament.name;
        record.date = tournament.date;
        tag.get("round").clone_into(&mut record.round);
        Ok(())
    }
}

/// The name that an attribute of a game refers to; empty where it has none.
fn named(
    list: &HashMap<String, String>,
    tag: &Tag,
    attribute: &str,
) -> Result<String, RecordError> {
    match tag.get(attribute) {
        "" => Ok(String::new()),
        id => list.get(id).cloned().ok_or_else(|| unknown(tag, id)),
    }
}

fn unknown(tag: &Tag, id: &str) -> RecordError {
    match id.parse() {
        Ok(number) => ErrorKind::NoSuchName(number).at(tag.place),
        Err(_) => ErrorKind::Expected("the number of a name").at(tag.place),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Options, read};

    fn all(text: &str) -> Vec<Result<GameRecord, RecordError>> {
        read(Form::Rif, text.as_bytes(), Options::default())
            .unwrap()
            .collect()
    }

    const HEAD: &str = r#"<?xml version="1.0"?>
<database version="1.0" date="2026-01-02">
<!-- RenjuNet &copy; 2001 -->
<rules><rule id="1" name="RIF" category="1">Renju &amp; more</rule></rules>
<openings><opening id="21" abbr="D1" name="Ura-getsu" /></openings>
<players><player id="1" name="Ann" surname="A&amp;B" country="1" /><player id="3" surname="Solo"/></players>
<tournaments><tournament id="1" name="World Championship" year="2005" start="2005-08-01" rule="1" rated="1" /></tournaments>
<games>
"#;

    #[test]
    fn games_refer_to_lists() {
        let text = format!(
            "{HEAD}<game id=\"1\" tournament=\"1\" round=\"F2\" rule=\"1\" black=\"1\" white=\"3\" bresult=\"0.5\" opening=\"21\" alt=\"i8\" swap=\"R\">\n<move>h8 h9 h7</move>\n<info>a note</info></game><game id=\"2\" bresult=\"1\"><move/></game></games></database>"
        );
        let games = all(&text);
        assert_eq!(games.len(), 2);
        let game = games[0].as_ref().unwrap();
        let moves: Vec<_> = game
            .main_line()
            .iter()
            .map(|mv| mv.mv.to_string())
            .collect();
        assert_eq!(moves, ["7,7", "7,6", "7,8"]);
        assert_eq!(
            game.players.clone().map(|player| player.name),
            ["Ann A&B", "Solo"]
        );
        assert_eq!(
            (&*game.event, &*game.date, &*game.round, &*game.rules),
            ("World Championship", "2005-08-01", "F2", "RIF")
        );
        assert_eq!(
            (game.result, &*game.comment),
            (Some(GameResult::Draw), "a note")
        );
        let game = games[1].as_ref().unwrap();
        assert_eq!((game.moves.len(), &*game.rules), (0, "Renju"));
    }

    #[test]
    fn a_game_without_an_end_takes_nothing_of_the_next_one() {
        let text = format!(
            "{HEAD}<game><move>h8</move>\n<game><move>i9<!-- a comment --> i10\nzz</move></game><game><move>j8</move></games></database><game><move>a1</move></game>"
        );
        let told: Vec<_> = all(&text)
            .into_iter()
            .map(|game| match game {
                Ok(game) => format!(
                    "{} {:?}",
                    game.moves.len(),
                    game.stop.map(|stop| stop.place)
                ),
                Err(error) => error.to_string(),
            })
            .collect();
        let stop = Some(Place::text(11, 1));
        assert_eq!(
            told,
            [
                "line 9, column 1: the game is cut off".to_owned(),
                format!("2 {stop:?}"),
                "line 11, column 17: the game is cut off".to_owned(),
                "1 None".to_owned(),
            ]
        );
    }

    #[test]
    fn a_game_of_endless_texts_ends_the_reading() {
        let piece = format!("<info>{}</info>", "x".repeat(1 << 20));
        let text = format!("{HEAD}<game>{}", piece.repeat(20));
        let games = all(&text);
        assert_eq!(games.len(), 1);
        assert!(matches!(
            games[0].as_ref().unwrap_err().kind,
            ErrorKind::TooLong
        ));
    }

    #[test]
    fn faults_have_their_place_and_the_next_game_is_read() {
        let text = format!(
            "{HEAD}<game black=\"9\"><move>h8</move></game>\n<game bresult=\"x\"><move>h8</move></game>\n<game><move>h8\nzz9</move></game>\n<game><move>h8 h8</move></game><game><move>"
        );
        let told: Vec<_> = all(&text)
            .into_iter()
            .map(|game| match game {
                Ok(game) => game.stop.unwrap().to_string(),
                Err(error) => error.to_string(),
            })
            .collect();
        assert_eq!(
            told,
            [
                "line 9, column 1: there is no name with the number 9",
                "line 10, column 1: expected 1, 0.5 or 0 as bresult",
                "line 12, column 1: move 2 cannot be played (malformed_move)",
                "line 13, column 16: move 2 cannot be played (occupied)",
                "line 13, column 32: the game is cut off",
            ]
        );
        assert_eq!(
            all("<html>").remove(0).unwrap_err().to_string(),
            "line 1, column 1: nothing here has the form rif"
        );
    }
}
