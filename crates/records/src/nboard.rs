//! Games of the protocol of `NBoard` (<https://github.com/weltyc/ntest>), as its logs have them: `set game` with a game in GGF, then
//! `move` for each further move. Other commands say nothing of a game.
//!
//! A program sends the whole game again for each position; of games that go on, only the last one is read.

use crate::builder::Builder;
use crate::error::ErrorKind;
use crate::text_source::{Line, TextSource};
use crate::{Form, GameRecord, Place, Placed, RecordError, reversi_text, sgf};
use std::io::Read;

/// Reads the games of a log.
pub(crate) struct Reader<R> {
    source: TextSource<R>,
    /// The game so far.
    game: Option<Builder>,
    /// A game that could not be read, after the one before it.
    fault: Option<RecordError>,
    has_any: bool,
    has_ended: bool,
}

impl<R: Read> Reader<R> {
    pub(crate) fn open(input: R) -> Result<Self, RecordError> {
        Ok(Self {
            source: TextSource::open(input)?,
            game: None,
            fault: None,
            has_any: false,
            has_ended: false,
        })
    }

    fn next_game(&mut self) -> Result<Option<GameRecord>, RecordError> {
        if let Some(fault) = self.fault.take() {
            return Err(fault);
        }
        if self.has_ended {
            return Ok(None);
        }
        while let Some(line) = self.source.line()? {
            let text = command(&line);
            if let Some(ggf) = text.strip_prefix("set game ") {
                self.has_any = true;
                let before = self.game.take().map(Builder::finish);
                match sgf::read_ggf(ggf, line.place_of(ggf)) {
                    Ok(game) => self.game = Some(builder_of(game)),
                    // Moves that follow are not of the game before.
                    Err(fault) if before.is_none() => return Err(fault),
                    Err(fault) => self.fault = Some(fault),
                }
                if let Some(before) = before
                    && !self.goes_on_from(&before)
                {
                    return Ok(Some(before));
                }
            } else if let Some(mv) = text.strip_prefix("move ") {
                self.take_move(mv.trim(), &line);
            }
        }
        self.has_ended = true;
        if !self.has_any {
            return Err(ErrorKind::NotThisForm(Form::NBoard).at(Place::START));
        }
        Ok(self.game.take().map(Builder::finish))
    }

    fn goes_on_from(&self, before: &GameRecord) -> bool {
        let Some(game) = &self.game else {
            return false;
        };
        let moves = |record: &GameRecord| -> Vec<Placed> {
            let moves = record.moves.iter();
            moves
                .map(|mv| Placed {
                    seat: mv.seat,
                    mv: mv.mv,
                })
                .collect()
        };
        game.record.players == before.players
            && moves(&game.record).starts_with(&moves(before))
            && before.stop.is_none()
    }

    /// Plays `f5/eval/seconds`.
    fn take_move(&mut self, text: &str, line: &Line) {
        let Some(game) = &mut self.game else {
            return;
        };
        let mv = text.split('/').next().unwrap_or_default().trim();
        if game.record.stop.is_none()
            && let Err(why) = reversi_text::play(game, mv, None)
        {
            game.stop(why, line.place_of(text));
        }
    }
}

impl<R: Read> Iterator for Reader<R> {
    type Item = Result<GameRecord, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_game().transpose()
    }
}

/// The command of a line. Logs mark the direction of a line by `>` or `<`.
fn command(line: &Line) -> &str {
    line.text
        .trim_start_matches(|c: char| c.is_whitespace() || "<>\u{feff}".contains(c))
}

/// Returns a builder with the moves of a record, to which others can be added.
fn builder_of(record: GameRecord) -> Builder {
    let mut builder = Builder::line(record.setup);
    for mv in &record.moves {
        let placed = Placed {
            seat: mv.seat,
            mv: mv.mv,
        };
        // A record has no move that cannot be played.
        let _ = builder.play_as(placed, mv.time);
    }
    let moves = std::mem::take(&mut builder.record.moves);
    builder.record = GameRecord { moves, ..record };
    builder
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Options, read};

    fn all(text: &str) -> Vec<Result<GameRecord, RecordError>> {
        read(Form::NBoard, text.as_bytes(), Options::default())
            .unwrap()
            .collect()
    }

    fn moves(game: &GameRecord) -> String {
        game.main_line()
            .iter()
            .map(|mv| reversi_text::name(mv.mv))
            .collect()
    }

    const GAME: &str = "(;GM[Othello]PC[NBoard]DT[2014-02-21 20:52:27 GMT]PB[./mEdax]PW[chris]RE[?]TI[15:00]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]";

    #[test]
    fn a_log_has_the_last_state_of_each_game() {
        let log = format!(
            "nboard 2\n> set depth 12\n> set game {GAME};)\n> move F5//1.2\n< status thinking\n> set game {GAME}B[F5]W[D6];)\n> move C3/0.5\nset game {GAME}B[F5]W[F6];)\r\nmove E6\r\n"
        );
        let games: Vec<_> = all(&log).into_iter().map(Result::unwrap).collect();
        let told: Vec<_> = games.iter().map(moves).collect();
        assert_eq!(told, ["f5d6c3", "f5f6e6"]);
        assert_eq!(
            games[0].players.clone().map(|player| player.name),
            ["./mEdax", "chris"]
        );
        assert_eq!(games[0].date, "2014-02-21 20:52:27 GMT");
    }

    #[test]
    fn moves_after_a_game_that_cannot_be_read_are_not_of_the_game_before() {
        let log = format!(
            "set game {GAME}B[F5];)\nset game (;GM[Othello]TY[10];)\nmove D6\nset game {GAME}B[D3];)\nmove C3"
        );
        let told: Vec<_> = all(&log)
            .into_iter()
            .map(|game| game.map_or_else(|error| error.to_string(), |game| moves(&game)))
            .collect();
        assert_eq!(
            told,
            [
                "f5",
                "line 2, column 26: not read: a board of another size than 8",
                "d3c3",
            ]
        );
    }

    #[test]
    fn faults_have_their_place() {
        let game = all(&format!("set game {GAME};)\nmove a1\nmove f5"))
            .remove(0)
            .unwrap();
        assert_eq!(
            game.stop.unwrap().to_string(),
            "line 2, column 6: move 1 cannot be played (flips_nothing)"
        );
        let error = all("nboard 2\nset game (;GM[1])").remove(0).unwrap_err();
        assert_eq!(
            error.to_string(),
            "line 2, column 10: a record of another game (GM[1])"
        );
        let error = all("set game (;GM[4]SZ[15];B[hh](;W[ii])(;W[jj]))").remove(0);
        assert_eq!(
            error.unwrap_err().to_string(),
            "line 1, column 10: a record of another game (GM[4])"
        );
        let error = all("quit").remove(0).unwrap_err();
        assert_eq!(
            error.to_string(),
            "line 1, column 1: nothing here has the form nboard"
        );
    }
}
