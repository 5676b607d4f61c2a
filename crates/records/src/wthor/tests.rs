//! Small databases, made by hand after the specification.

use super::{Names, Writer};
use crate::{Form, GameRecord, Options, RecordError, read, reversi_text};
use std::io::Cursor;

fn head(count: u32, year: u16) -> Vec<u8> {
    let mut head = vec![20, 26, 11, 27];
    head.extend(count.to_le_bytes());
    head.extend([0, 0]);
    head.extend(year.to_le_bytes());
    head.extend([8, 0, 24, 0]);
    head
}

fn game(tournament: u16, black: u16, white: u16, discs: u8, moves: &[u8]) -> Vec<u8> {
    let mut game = Vec::new();
    for number in [tournament, black, white] {
        game.extend(number.to_le_bytes());
    }
    game.extend([discs, discs]);
    game.extend(moves);
    game.resize(68, 0);
    game
}

fn names(names: &[&[u8]], len: usize) -> Vec<u8> {
    let mut bytes = head(names.len() as u32, 0);
    for name in names {
        let from = bytes.len();
        bytes.extend(*name);
        bytes.resize(from + len, 0);
    }
    bytes
}

fn database() -> Names {
    let players = names(&[b"???", b"Tastet Marc", b"P\xe9n\xe9lope"], 20);
    let tournaments = names(&[b"Diverses parties", b"World Championship"], 26);
    let with_players = Names::default().with_players(&*players).unwrap();
    with_players.with_tournaments(&*tournaments).unwrap()
}

fn all(bytes: &[u8], names: Names) -> Vec<Result<GameRecord, RecordError>> {
    let options = Options {
        names,
        ..Options::default()
    };
    read(Form::Wthor, bytes, options).unwrap().collect()
}

#[test]
fn games_have_names_results_and_moves() {
    // F5 D6 C3 D3 C4
    let bytes = [
        head(2, 1977),
        game(1, 1, 2, 39, &[56, 64, 33, 34, 43]),
        game(0, 0, 1, 32, &[]),
    ]
    .concat();
    let games: Vec<_> = all(&bytes, database())
        .into_iter()
        .map(Result::unwrap)
        .collect();
    let moves: String = games[0]
        .main_line()
        .iter()
        .map(|mv| reversi_text::name(mv.mv))
        .collect();
    assert_eq!(moves, "f5d6c3d3c4");
    assert_eq!(
        (&*games[0].event, &*games[0].date),
        ("World Championship", "1977")
    );
    assert_eq!(
        games[0].players.clone().map(|player| player.name),
        ["Tastet Marc", "Pénélope"]
    );
    assert_eq!(games[0].result.unwrap().to_string(), "B+14");
    assert_eq!(
        games[1].players.clone().map(|player| player.name),
        ["", "Tastet Marc"]
    );
    assert_eq!(games[1].result.unwrap().to_string(), "0");
    // Without the lists there are numbers.
    let game = all(&bytes, Names::default()).remove(0).unwrap();
    assert_eq!((&*game.event, &*game.players[1].name), ("#1", "#2"));
}

#[test]
fn a_database_is_written_with_its_lists() {
    let bytes = [
        head(2, 1977),
        game(1, 1, 2, 39, &[56, 64, 33, 34, 43]),
        game(0, 2, 1, 10, &[56]),
    ]
    .concat();
    let games: Vec<_> = all(&bytes, database())
        .into_iter()
        .map(Result::unwrap)
        .collect();
    let mut writer = Writer::new(Cursor::new(Vec::new())).unwrap();
    for game in &games {
        writer.write(game).unwrap();
    }
    let (written, players, tournaments) = writer.finish(1_795_766_400).unwrap();
    let written = written.into_inner();
    assert_eq!(written.len(), 16 + 2 * 68);
    assert_eq!(
        written[..16],
        [20, 26, 11, 27, 2, 0, 0, 0, 0, 0, 0xb9, 7, 8, 0, 0, 0]
    );
    let names = Names::default()
        .with_players(&*players)
        .unwrap()
        .with_tournaments(&*tournaments)
        .unwrap();
    assert_eq!(names.players(), ["???", "Tastet Marc", "Pénélope"]);
    let again: Vec<_> = all(&written, names)
        .into_iter()
        .map(Result::unwrap)
        .collect();
    assert_eq!(again, games);
}

#[test]
fn faults_have_their_offset() {
    let told = |bytes: &[u8]| -> Vec<String> {
        let told = |game: Result<GameRecord, RecordError>| match game {
            Ok(game) => game
                .stop
                .map_or_else(|| "read".to_owned(), |stop| stop.to_string()),
            Err(error) => error.to_string(),
        };
        all(bytes, database()).into_iter().map(told).collect()
    };
    let bytes = [
        head(5, 1977),
        game(0, 9, 0, 32, &[]),
        game(0, 0, 0, 32, &[56, 56]),
        game(0, 0, 0, 32, &[56, 99]),
        game(0, 0, 0, 200, &[56, 64]),
        vec![1, 2, 3],
    ]
    .concat();
    assert_eq!(
        told(&bytes),
        [
            "byte 18: there is no name with the number 9",
            "byte 93: move 2 cannot be played (occupied)",
            "byte 161: move 2 cannot be played (off_board)",
            "read",
            "byte 288: the game is cut off",
        ]
    );
    let fault = |bytes: &[u8]| {
        read(Form::Wthor, bytes, Options::default())
            .unwrap_err()
            .to_string()
    };
    assert_eq!(
        fault(b"too short"),
        "byte 0: nothing here has the form wthor"
    );
    let mut ten = head(0, 0);
    ten[12] = 10;
    assert_eq!(fault(&ten), "byte 12: not read: a board of size 10");
    ten[12] = 8;
    ten[13] = 1;
    assert_eq!(fault(&ten), "byte 13: not read: endgames (solitaires)");
    let cut = Names::default()
        .with_players(&names(&[b"a", b"b"], 20)[..50])
        .unwrap_err();
    assert_eq!(cut.to_string(), "byte 50: the game is cut off");
}

/// A head that promises four billion games allocates nothing for them.
#[test]
fn a_count_is_no_promise() {
    let games = all(
        &[head(u32::MAX, 0), game(0, 0, 0, 32, &[56])].concat(),
        Names::default(),
    );
    assert_eq!(games.len(), 2);
    assert!(games[1].is_err());
}
