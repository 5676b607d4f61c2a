//! Any bytes at all as game records in one of the forms: reading ends, every move of a record can be played after those before it,
//! and a record that is written in its form, or as SGF or JSON, reads back with the same moves and is written the same.

use tochki_records::{Form, GameRecord, Options, Placed, Writer, read};
use tochki_rules::{Position, Setup};

pub(crate) fn run(form: Form, bytes: &[u8]) {
    let Ok(games) = read(form, bytes, Options::default()) else {
        return;
    };
    let mut count = 0;
    for game in games {
        count += 1;
        assert!(count <= bytes.len() + 1, "the games have no end");
        let Ok(game) = game else {
            continue;
        };
        replay(&game);
        for form in [form, Form::Sgf, Form::Json] {
            if form.writes(game.kind()) && form != Form::Wthor {
                reads_back(form, &game);
            }
        }
    }
}

/// Replays the last lines: to replay all of a tree takes quadratic time.
fn replay(game: &GameRecord) {
    for (place, mv) in game.main_line().iter().enumerate() {
        assert_eq!(mv.after, place.checked_sub(1));
    }
    let first = game.moves.len().saturating_sub(8);
    for last in (first..game.moves.len()).chain(game.main_line.checked_sub(1)) {
        let mut line = Vec::new();
        let mut at = Some(last);
        while let Some(place) = at {
            line.push(place);
            at = game.moves[place].after;
        }
        let mut position = Position::new(&game.setup);
        for placed in &game.start {
            let placed = position.play_as(placed.seat, placed.mv);
            placed.expect("the start can be placed");
        }
        for place in line.into_iter().rev() {
            let mv = &game.moves[place];
            position
                .play_as(mv.seat, mv.mv)
                .expect("a move can be played");
        }
    }
}

fn reads_back(form: Form, game: &GameRecord) {
    let mut writer = Writer::new(form, Vec::new());
    // A form may not have this game: out of turn, or without moves.
    if writer.write(game).is_err() {
        return;
    }
    let bytes = writer.finish().expect("a list of bytes can be written");
    let mut options = Options::default();
    match game.setup {
        Setup::Gomoku(setup) => options.gomoku = setup,
        Setup::Boxes(setup) => options.boxes = setup,
        Setup::Dots(_) | Setup::Reversi(_) => {}
    }
    let mut games = read(form, &*bytes, options).expect("a written record is of its form");
    let again = games.next().expect("a written record is there");
    let again = again.expect("a written record can be read");
    let moves = |game: &GameRecord| -> Vec<Placed> {
        let moves = game.main_line().iter();
        moves
            .map(|mv| Placed {
                seat: mv.seat,
                mv: mv.mv,
            })
            .collect()
    };
    // Captures among the dots of a start depend on their order, which SGF does not have.
    if game.start.is_empty() {
        assert_eq!(moves(&again), moves(game), "{form}");
        assert_eq!(again.stop, None, "{form}");
    }
}
