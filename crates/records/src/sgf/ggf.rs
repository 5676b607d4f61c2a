//! GGF, the Generic Game Format of the servers GGS and `NBoard`, for Reversi; after the samples of `NBoard`
//! (<https://github.com/weltyc/othello>, `COsGame`). Its syntax is that of SGF without escapes.
//!
//! A move is `B[f5/eval/seconds]`; evaluations are left out. `BO` is the board at the start, `TY` the kind of game: only the usual
//! board and start are read.

use super::root::{line_of, warn_of_damage};
use super::source::Source;
use crate::builder::Builder;
use crate::error::ErrorKind;
use crate::turns::{colour_letter, in_turn};
use crate::{GameRecord, RecordError, StopReason, WriteError, date, reversi_text};
use std::fmt::Write as _;
use tochki_rules::record::tree::{GameTree, Node};
use tochki_rules::record::{GameResult, Points, RecordPlayer, WinReason};
use tochki_rules::{Position, Seat, Setup, reversi};

/// The board at the start, by rows.
const START: &str = "---------------------------O*------*O---------------------------*";

/// Reads a game.
pub(crate) fn read(tree: &GameTree, source: &Source) -> Result<GameRecord, RecordError> {
    let Some(root) = tree.nodes.first() else {
        return Err(ErrorKind::CutOff.at(source.place));
    };
    check_kind(root, source)?;
    let mut builder = Builder::line(Setup::Reversi(reversi::Setup::DEFAULT));
    let record = &mut builder.record;
    record.players = [("PB", "RB"), ("PW", "RW")].map(|(name, rating)| RecordPlayer {
        name: line_of(root, name),
        rank: line_of(root, rating),
    });
    record.site = line_of(root, "PC");
    let date = line_of(root, "DT");
    record.date = match seconds(&date) {
        Some(seconds) => date::of_seconds(seconds),
        None => date::normal(&date),
    };
    record.result = root.first("RE").and_then(result);
    record.comment = line_of(root, "CO");
    warn_of_damage(record, tree, source);
    'moves: for property in tree.nodes.iter().flat_map(|node| &node.0) {
        let seat = match &*property.name {
            "B" => Seat::First,
            "W" => Seat::Second,
            _ => continue,
        };
        for &value in &property.values {
            if let Err(why) = play(&mut builder, seat, value) {
                builder.stop(why, source.place_of(value));
                break 'moves;
            }
        }
    }
    Ok(builder.finish())
}

/// The seconds since 1970 that GGS wrote as a date at first. Four digits are a year.
fn seconds(date: &str) -> Option<u64> {
    date.parse().ok().filter(|_| date.len() > 4)
}

/// Checks that the board and the start are the usual ones.
fn check_kind(root: &Node, source: &Source) -> Result<(), RecordError> {
    let refused = |value: &str, what: &str| {
        let fault = ErrorKind::Unsupported(what.to_owned());
        Err(fault.at(source.place_of(value)))
    };
    if let Some(kind) = root.first("TY") {
        let letters = kind.trim().trim_start_matches('s');
        let size = letters.split(|c: char| !c.is_ascii_digit()).next();
        if letters.contains('a') {
            return refused(kind, "the game in which fewer discs win");
        }
        // Games of programs on one machine have none, or 0: their board says it.
        if !matches!(size, Some("8" | "0" | "")) {
            return refused(kind, "a board of another size than 8");
        }
    }
    if let Some(board) = root.first("BO") {
        let (size, squares) = board.trim().split_once(' ').unwrap_or(("", ""));
        let squares: String = squares.chars().filter(|c| !c.is_whitespace()).collect();
        if size != "8" {
            return refused(board, "a board of another size than 8");
        }
        if squares != START {
            return refused(board, "a start of its own");
        }
    }
    Ok(())
}

fn play(builder: &mut Builder, seat: Seat, value: &str) -> Result<(), StopReason> {
    let mut parts = value.split('/').map(str::trim);
    let mv = parts.next().unwrap_or_default();
    let time = parts.nth(1).and_then(millis);
    if reversi_text::is_pass(mv) {
        return builder.pass(Some(seat));
    }
    if builder.position().to_move() == Some(seat.other()) {
        return Err(StopReason::OutOfTurn);
    }
    reversi_text::play(builder, mv, time)
}

/// Seconds with decimal places, as milliseconds.
fn millis(seconds: &str) -> Option<u64> {
    let (whole, part) = seconds.split_once('.').unwrap_or((seconds, ""));
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !is_number(whole) || !is_number(part) {
        return None;
    }
    let part = format!("{part:0<3}");
    let millis: u64 = part[..3].parse().ok()?;
    whole
        .parse::<u64>()
        .ok()?
        .checked_mul(1000)?
        .checked_add(millis)
}

/// The result, black's discs more than white's: `+8.000`, with `:r` after a resignation and `:t` after the end of the time.
fn result(text: &str) -> Option<GameResult> {
    let (score, reason) = text.trim().split_once(':').unwrap_or((text.trim(), ""));
    let (by, points) = match score.strip_prefix('-') {
        Some(points) => (Seat::Second, points),
        None => (Seat::First, score.strip_prefix('+').unwrap_or(score)),
    };
    // GGS writes three decimal places.
    let points: Points = match points.split_once('.') {
        Some((whole, part)) => {
            let part = part.trim_end_matches('0');
            format!("{whole}.{part}")
                .trim_end_matches('.')
                .parse()
                .ok()?
        }
        None => points.parse().ok()?,
    };
    let how = match reason.chars().next() {
        Some('r') => WinReason::Resignation,
        Some('t') => WinReason::Time,
        _ if points == 0.into() => return Some(GameResult::Draw),
        _ => WinReason::Points(points),
    };
    Some(GameResult::Won { by, how })
}

/// Writes a game in a line.
pub(crate) fn write(text: &mut String, record: &GameRecord) -> Result<(), WriteError> {
    let moves = record.main_line();
    let mut line = String::new();
    let each = |position: &Position, number: usize| {
        let mv = &moves[number];
        if position.passed() {
            let _ = write!(line, "{}[PA]", colour_letter(mv.seat.other()));
        }
        let _ = write!(
            line,
            "{}[{}",
            colour_letter(mv.seat),
            reversi_text::name(mv.mv).to_ascii_uppercase()
        );
        if let Some(time) = mv.time {
            let _ = write!(line, "//{}.{:03}", time / 1000, time % 1000);
        }
        line.push(']');
    };
    let position = in_turn(record, each)?;
    // Writing into a string cannot fail.
    text.push_str("(;GM[Othello]");
    let [black, white] = &record.players;
    let none = String::new();
    // A text that would be read as seconds is another date there.
    let is_certain = seconds(record.date.trim()).is_none();
    for (name, value) in [
        ("PC", &record.site),
        ("DT", if is_certain { &record.date } else { &none }),
        ("PB", &black.name),
        ("PW", &white.name),
        ("RB", &black.rank),
        ("RW", &white.rank),
        ("CO", &record.comment),
    ] {
        let is_needed = matches!(name, "PC" | "PB" | "PW");
        if is_needed || !value.is_empty() {
            let _ = write!(text, "{name}[{}]", plain(value));
        }
    }
    let _ = writeln!(
        text,
        "TI[0]TY[8]RE[{}]BO[8 {} *]{line};)",
        result_text(record, &position),
        &START[..64]
    );
    Ok(())
}

/// The result as this form has it. A win of which only the winner is known has the score of the position; if the other side is
/// ahead there, or the game is not over, the result is not known.
fn result_text(record: &GameRecord, position: &Position) -> String {
    let sign = |by| if by == Seat::First { '+' } else { '-' };
    match record.result {
        None => "?".to_owned(),
        Some(GameResult::Draw) => "0".to_owned(),
        Some(GameResult::Won { by, how }) => match how {
            WinReason::Points(points) => format!("{}{points}", sign(by)),
            WinReason::Resignation => format!("{}64:r", sign(by)),
            WinReason::Time => format!("{}64:t", sign(by)),
            WinReason::Forfeit | WinReason::Unknown => {
                let score = reversi_text::difference(position);
                let winner = if score > 0 { Seat::First } else { Seat::Second };
                if score != 0 && winner == by && position.to_move().is_none() {
                    format!("{score:+}")
                } else {
                    "?".to_owned()
                }
            }
        },
    }
}

/// A text without the characters that would end a value: this form has no escapes.
fn plain(text: &str) -> String {
    let plain = |c| match c {
        ']' => ')',
        '[' => '(',
        '\\' => '/',
        c if c.is_control() => ' ',
        c => c,
    };
    text.chars().map(plain).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Form, Options, Place, Writer, read};

    fn all(text: &str) -> Vec<Result<GameRecord, RecordError>> {
        read(Form::Ggf, text.as_bytes(), Options::default())
            .unwrap()
            .collect()
    }

    fn written(record: &GameRecord) -> String {
        let mut writer = Writer::new(Form::Ggf, Vec::new());
        writer.write(record).unwrap();
        String::from_utf8(writer.finish().unwrap()).unwrap()
    }

    const HEAD: &str = "(;GM[Othello]PC[GGS/os]DT[2003.12.15_13:24:03.MST]PB[ann]PW[bob]RB[2197.01]RW[2199.72]TI[05:00//02:00]TY[8]";
    const BOARD: &str =
        "BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]";

    #[test]
    fn a_game_has_players_ratings_and_times() {
        let text = format!("1 {HEAD}RE[+8.000]{BOARD}B[d3//0.01]W[c5/2.39/1]B[d6//20.97]W[e3];)\n");
        let game = all(&text).remove(0).unwrap();
        let moves: Vec<_> = game
            .main_line()
            .iter()
            .map(|mv| (reversi_text::name(mv.mv), mv.time))
            .collect();
        assert_eq!(
            moves,
            [
                ("d3".into(), Some(10)),
                ("c5".into(), Some(1000)),
                ("d6".into(), Some(20_970)),
                ("e3".into(), None)
            ]
        );
        assert_eq!((&*game.date, &*game.site), ("2003-12-15", "GGS/os"));
        assert_eq!(
            game.players
                .clone()
                .map(|player| player.name + "|" + &player.rank),
            ["ann|2197.01", "bob|2199.72"]
        );
        assert_eq!(
            (game.result.unwrap().to_string(), game.stop),
            ("B+8".into(), None)
        );
        assert_eq!(
            written(&game),
            "(;GM[Othello]PC[GGS/os]DT[2003-12-15]PB[ann]PW[bob]RB[2197.01]RW[2199.72]TI[0]TY[8]RE[+8]BO[8 ---------------------------O*------*O--------------------------- *]B[D3//0.010]W[C5//1.000]B[D6//20.970]W[E3];)\n"
        );
    }

    #[test]
    fn a_date_is_not_written_as_seconds() {
        let mut game = all(&format!("{HEAD}{BOARD}B[f5];)")).remove(0).unwrap();
        for (date, again) in [
            ("2026", "2026"),
            ("27 November 2026", "27 November 2026"),
            ("20261127", ""),
            ("+20261127", ""),
        ] {
            date.clone_into(&mut game.date);
            let text = written(&game);
            assert_eq!(all(&text).remove(0).unwrap().date, again, "{text}");
        }
        let text = "(;GM[Othello]DT[947375357]B[f5];)";
        assert_eq!(all(text).remove(0).unwrap().date, "2000-01-08");
    }

    #[test]
    fn a_match_of_two_games_has_both() {
        let text = format!("2 {HEAD}{BOARD}B[f5];){HEAD}{BOARD}B[f5]W[f6];)");
        assert_eq!(all(&text).len(), 2);
    }

    #[test]
    fn results_have_a_sign_and_a_reason() {
        for (text, expected) in [
            ("+0.000", Some("0")),
            ("-22.87", Some("W+22.87")),
            ("+34.000:r", Some("B+R")),
            ("-2:t", Some("W+T")),
            ("8", Some("B+8")),
            ("?", None),
            ("", None),
            ("aborted", None),
        ] {
            let told = result(text).map(|result| result.to_string());
            assert_eq!(told.as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn other_boards_and_starts_are_refused() {
        for (from, to, what) in [
            ("TY[8]", "TY[10]", "a board of another size than 8"),
            ("TY[8]", "TY[8a]", "the game in which fewer discs win"),
            ("---O*---", "---*O---", "a start of its own"),
            ("-------- *]", "-------- O]", "a start of its own"),
            ("BO[8 ", "BO[4 ", "a board of another size than 8"),
        ] {
            let text = format!("{HEAD}{BOARD}B[f5];)").replacen(from, to, 1);
            let error = all(&text).remove(0).unwrap_err();
            assert!(
                error.to_string().ends_with(&format!("not read: {what}")),
                "{to}: {error}"
            );
        }
        // A synchronized match of two games with the usual start.
        assert!(
            all(&format!("{HEAD}{BOARD}B[f5];)").replace("TY[8]", "TY[s8]"))
                .remove(0)
                .is_ok()
        );
    }

    #[test]
    fn a_move_that_cannot_be_played_has_its_place() {
        for (moves, number, column, code) in [
            ("B[f5]W[a1]", 2, 20, "flips_nothing"),
            ("B[f5]B[f6]", 2, 20, "out_of_turn"),
            ("B[f5]W[pass]", 2, 20, "pass_with_move"),
            ("W[f5]", 1, 15, "out_of_turn"),
            ("B[??]", 1, 15, "malformed_move"),
        ] {
            let game = all(&format!("(;GM[Othello]{moves};)")).remove(0).unwrap();
            let stop = game.stop.unwrap();
            // `(;GM[Othello]B[` has 15 characters.
            let place = Place::text(1, column + 1);
            assert_eq!(
                (stop.number, stop.place, stop.why.code()),
                (number, place, code),
                "{moves}"
            );
        }
    }
}
