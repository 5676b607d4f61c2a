//! Memory of the readers: that of one game and of a block of the input, however many games there are.

use std::io::{self, Read};
use tochki_records::{Form, Options, read};

/// The bytes of all games of an input together.
const INPUT: usize = 1_000_000;

/// The most bytes of memory while they are read.
const MEMORY: u64 = 600_000;

/// A head, and then the same game over and over.
struct Repeated<'a> {
    rest: &'a [u8],
    game: &'a [u8],
    left: usize,
}

impl Read for Repeated<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.rest.is_empty() && self.left > 0 {
            self.left -= 1;
            self.rest = self.game;
        }
        self.rest.read(buffer)
    }
}

/// Reads so many games, and returns the most bytes of memory.
fn measure(form: Form, head: &[u8], game: &[u8]) -> u64 {
    let count = INPUT / game.len();
    let input = Repeated {
        rest: head,
        game,
        left: count,
    };
    let mut games = 0;
    let used = allocation_counter::measure(|| {
        for game in read(form, input, Options::default()).unwrap() {
            let game = game.unwrap();
            assert_eq!((game.stop, game.moves.is_empty()), (None, false), "{form}");
            games += 1;
        }
    });
    assert_eq!(games, count, "{form}");
    used.bytes_max
}

#[test]
fn many_games_take_the_memory_of_one() {
    let comment = "a game of the club ".repeat(20);
    let ggf = format!("(;GM[Othello]PB[ann]PW[bob]CO[{comment}]TY[8]B[f5]W[d6];)\n");
    let dots = format!("(;GM[40]SZ[9]C[{comment}];B[aa];W[bb])\n");
    let gomoku = format!("(;GM[4]SZ[15]C[{comment}];B[hh];W[ii](;B[jj])(;B[gg]))\n");
    let psq = format!("Piskvorky 15x15, 0:0, 0\n8,8,1\n9,9,1\n{comment}\nbob\n-1\n");
    let pgn = format!("[Black \"ann\"]\n[Event \"{comment}\"]\n\n1. f5 d6 38-26\n\n");
    let rif = format!("<game bresult=\"1\"><move>h8 i9</move><info>{comment}</info></game>\n");
    let json = format!("{{\"game\":\"boxes\",\"moves\":[\"h:0,0\"],\"comment\":\"{comment}\"}}\n");
    for (form, head, game) in [
        (Form::Ggf, "", &*ggf),
        (Form::Sgf, "", &*dots),
        (Form::Sgf, "", &*gomoku),
        (Form::Psq, "", &*psq),
        (Form::Pgn, "", &*pgn),
        (Form::Rif, "<database><games>\n", &*rif),
        (Form::Json, "", &*json),
        (Form::Points, "", "a1b3c5d7e9f11g13h15a2b4c6d8e10f12\n"),
        (Form::Transcript, "", "f5d6c3d3c4f4f6f3e6e7d7g6f8f7\n"),
        (
            Form::DotPairs,
            "",
            "a1b1 b1c1 c1d1 d1e1 a2b2 b2c2 c2d2 d2e2\n",
        ),
    ] {
        let used = measure(form, head.as_bytes(), game.as_bytes());
        assert!(used < MEMORY, "{form}: {used} bytes");
    }
}

#[test]
fn a_database_takes_the_memory_of_a_game() {
    let mut game = [0; 68];
    // F5 D6, with 39 discs of black.
    (game[6], game[8], game[9]) = (39, 56, 64);
    let count = u32::try_from(INPUT / game.len()).unwrap();
    let mut head = [0; 16];
    head[4..8].copy_from_slice(&count.to_le_bytes());
    let used = measure(Form::Wthor, &head, &game);
    assert!(used < MEMORY, "{used} bytes");
}
