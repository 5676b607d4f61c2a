//! The writer of files.

use super::file::File;
use crate::Points;
use crate::swiss::Round;
use std::fmt::Write as _;
use tochki_rules::Seat;

/// The columns of a name.
const NAME: usize = 33;

/// Writes a file of TRF-2026, which [`read`](fn@super::read) reads back. Names of more than 33 characters are cut.
pub fn write(file: &File) -> String {
    write_as(
        file,
        "092 Individual: Swiss-System\n",
        "192 FIDE_DUTCH_2025\n",
    )
}

/// Writes a round robin as such a file, with the history of each player in the order of its table.
pub fn write_round_robin(file: &File) -> String {
    write_as(file, "092 Individual: Round-Robin\n", "")
}

fn write_as(file: &File, kind: &str, system: &str) -> String {
    let field = &file.field;
    let mut text = format!("012 {}\n{kind}", one_line(&file.name));
    let _ = writeln!(text, "142 {}", field.rounds);
    let first_side = if field.initial_side == Seat::First {
        'W'
    } else {
        'B'
    };
    let _ = write!(text, "152 {first_side}\n{system}");
    for (place, (line, entrant)) in file.players.iter().zip(&field.players).enumerate() {
        let name: String = one_line(&line.name).chars().take(NAME).collect();
        let rating = line
            .rating
            .map(|rating| rating.to_string())
            .unwrap_or_default();
        let points = field.score(place);
        let better = (0..field.players.len())
            .filter(|&other| (field.score(other), place) > (points, other))
            .count();
        let _ = write!(
            text,
            "001 {:>4}      {name:<NAME$} {rating:>4}{:28}{points:>4} {:>4}",
            line.id,
            "",
            better + 1
        );
        for round in &entrant.history {
            text.push_str("  ");
            text.push_str(&cell(*round, |opponent| file.players[opponent].id));
        }
        text.push('\n');
    }
    let round = field.played_rounds() + 1;
    if field.players.iter().any(|entrant| entrant.absent) {
        let _ = write!(text, "240 Z {round:03}");
        for (line, _) in file
            .players
            .iter()
            .zip(&field.players)
            .filter(|(_, entrant)| entrant.absent)
        {
            let _ = write!(text, " {:04}", line.id);
        }
        text.push('\n');
    }
    for pair in &field.forbidden {
        let [one, other] = pair.map(|place| file.players[place].id);
        let _ = writeln!(text, "260 {round:03} {round:03} {one:04} {other:04}");
    }
    text
}

fn cell(round: Round, id: impl Fn(usize) -> u32) -> String {
    let side = |side| if side == Seat::First { 'w' } else { 'b' };
    match round {
        Round::Game {
            opponent,
            side: own,
            result,
        } => {
            let sign = match result {
                Points::ONE => '1',
                Points::HALF => '=',
                _ => '0',
            };
            format!("{:>4} {} {sign}", id(opponent), side(own))
        }
        Round::Forfeit {
            opponent,
            side: own,
            won,
        } => {
            format!(
                "{:>4} {} {}",
                id(opponent),
                side(own),
                if won { '+' } else { '-' }
            )
        }
        Round::PairingBye => "0000 - U".to_owned(),
        Round::Bye(points) => {
            let sign = match points {
                Points::ONE => 'F',
                Points::HALF => 'H',
                _ => 'Z',
            };
            format!("0000 - {sign}")
        }
    }
}

/// Returns a text without what would end a line.
fn one_line(text: &str) -> String {
    text.replace(char::is_control, " ")
}
