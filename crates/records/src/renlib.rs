//! Libraries of `RenLib`, one game of Renju with all of its variations each, after `LibraryFile`, `MoveNode` and
//! `CRenLibDoc::AddLibrary` of its source (<https://github.com/gomoku/RenLib>).
//!
//! A file has a head of 20 bytes (`FF "RenLib" FF`, a version, FFs), then the nodes of a tree in preorder, of two bytes each: the
//! place of the stone, `16 × row + column` with rows from 0 at the top and columns from 1, and flags. A node may be followed by
//! two more bytes of flags, by a comment and by a text on the board; they end with a zero and take an even number of bytes.
//! The first node may be an empty root. A place of 0 is a pass.

use crate::builder::Builder;
use crate::error::ErrorKind;
use crate::{Form, GameRecord, Place, Placed, RecordError, Warning, encodings};
use std::io::Read;
use tochki_rules::gomoku::{Rule, Setup};
use tochki_rules::{Move, Point, Seat};

/// The node has a sibling, which follows its descendants.
const DOWN: u8 = 0x80;
/// The node has no child.
const RIGHT: u8 = 0x40;
/// A comment in the encoding of the first versions follows.
const OLD_COMMENT: u8 = 0x20;
/// A comment follows.
const COMMENT: u8 = 0x08;
/// The node is a text on the board, not a move.
const NO_MOVE: u8 = 0x02;
/// Two more bytes of flags follow.
const EXTENSION: u8 = 0x01;
/// In the second of them: a text on the board follows.
const BOARD_TEXT: u8 = 0x01;

/// The most nodes of a library: one is a game, and is in memory as a whole.
const MAX_NODES: usize = 2_000_000;

/// Reads the one game of a library.
pub(crate) struct Reader<R> {
    bytes: Bytes<R>,
    has_ended: bool,
}

impl<R: Read> Reader<R> {
    pub(crate) fn open(input: R) -> Self {
        Self {
            bytes: Bytes::open(input),
            has_ended: false,
        }
    }
}

impl<R: Read> Iterator for Reader<R> {
    type Item = Result<GameRecord, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.has_ended {
            return None;
        }
        self.has_ended = true;
        Some(read(&mut self.bytes))
    }
}

/// A node, as it is written.
struct Node {
    at: Place,
    place: u8,
    flags: u8,
    comment: String,
}

fn read<R: Read>(bytes: &mut Bytes<R>) -> Result<GameRecord, RecordError> {
    let first = check_head(bytes)?;
    let setup =
        Setup::new(15, Rule::Freestyle).map_err(|_| ErrorKind::InvalidSize.at(Place::Byte(0)))?;
    let mut builder = Builder::tree(tochki_rules::Setup::Gomoku(setup));
    "Renju".clone_into(&mut builder.record.rules);
    // For each node with a sibling to come, the state after its parent.
    let mut waiting: Vec<State> = Vec::new();
    let mut state = State {
        line: Line::After(None),
        seat: Seat::First,
    };
    let (mut is_main_line, mut is_root, mut shortened, mut count) = (true, true, 0, 0);
    let mut next = first;
    loop {
        let pair = match next.take() {
            Some(pair) => pair,
            None => match bytes.pair()? {
                Some(pair) => pair,
                None => break,
            },
        };
        count += 1;
        if count > MAX_NODES {
            return Err(ErrorKind::TooLong.at(bytes.place()));
        }
        let node = read_node(bytes, pair)?;
        let before = state;
        let is_empty_root = is_root && node.place == 0;
        is_root = false;
        if !is_empty_root && node.flags & NO_MOVE == 0 {
            state = play(&mut builder, state, &node, &mut shortened, is_main_line);
        } else if !is_empty_root {
            // Nothing can follow a text on the board.
            state.line = Line::Ended;
        }
        if !node.comment.is_empty()
            && let Line::After(last) = state.line
        {
            builder.go_back_to(last);
            builder.comment(&node.comment);
        }
        if node.flags & DOWN != 0 {
            waiting.push(before);
        }
        if node.flags & RIGHT != 0 {
            if is_main_line {
                builder.end_main_line();
                is_main_line = false;
            }
            // After the last sibling of the first moves nothing may follow; if something does, it begins anew.
            state = waiting.pop().unwrap_or(State {
                line: Line::After(None),
                seat: Seat::First,
            });
        }
    }
    if is_main_line {
        builder.end_main_line();
    }
    let mut record = builder.finish();
    if shortened > 0 {
        record
            .warnings
            .push(Warning::ShortenedVariations(shortened));
    }
    Ok(record)
}

/// The line that leads to a node.
#[derive(Clone, Copy)]
enum Line {
    /// The last move before it; `None` at the start.
    After(Option<usize>),
    /// The line has ended before.
    Ended,
}

/// The moves before a node.
#[derive(Clone, Copy)]
struct State {
    line: Line,
    /// The side on turn.
    seat: Seat,
}

fn play(
    builder: &mut Builder,
    state: State,
    node: &Node,
    shortened: &mut usize,
    is_main_line: bool,
) -> State {
    let seat = state.seat;
    let next = |line| State {
        line,
        seat: seat.other(),
    };
    let Line::After(before) = state.line else {
        return next(Line::Ended);
    };
    builder.go_back_to(before);
    if node.place == 0 {
        return next(Line::After(before));
    }
    let point = Point::new((node.place % 16).wrapping_sub(1), node.place / 16);
    let placed = Placed {
        seat,
        mv: Move::Gomoku(point),
    };
    match builder.play_as(placed, None) {
        Ok(()) => next(Line::After(builder.last())),
        Err(why) => {
            if is_main_line && builder.record.stop.is_none() {
                builder.stop(why, node.at);
            } else {
                *shortened += 1;
            }
            next(Line::Ended)
        }
    }
}

/// Checks the head; returns the first two bytes of the first node where the file has none, as in the first versions.
fn check_head<R: Read>(bytes: &mut Bytes<R>) -> Result<Option<[u8; 2]>, RecordError> {
    let not_this = ErrorKind::NotThisForm(Form::RenLib).at(Place::Byte(0));
    let Some(first) = bytes.pair()? else {
        return Err(not_this);
    };
    // The centre.
    if first[0] == 0x78 {
        return Ok(Some(first));
    }
    let mut head = first.to_vec();
    while head.len() < 20 {
        match bytes.pair()? {
            Some(pair) => head.extend(pair),
            None => return Err(not_this),
        }
    }
    if !head.starts_with(b"\xffRenLib\xff") {
        return Err(not_this);
    }
    let version = (head[8], head[9]);
    if version > (3, 4) {
        let what = format!("version {}.{} of RenLib", version.0, version.1);
        return Err(ErrorKind::Unsupported(what).at(Place::Byte(8)));
    }
    Ok(None)
}

fn read_node<R: Read>(bytes: &mut Bytes<R>, [place, flags]: [u8; 2]) -> Result<Node, RecordError> {
    let at = Place::Byte(bytes.offset - 2);
    if place != 0 && !(1..=15).contains(&(place % 16)) || place / 16 > 14 {
        return Err(ErrorKind::Expected("a place on a board of 15 × 15").at(at));
    }
    let mut has_board_text = false;
    if flags & EXTENSION != 0 {
        let [_, more] = bytes.pair()?.ok_or(ErrorKind::CutOff.at(at))?;
        has_board_text = more & BOARD_TEXT != 0;
    }
    if flags & OLD_COMMENT != 0 {
        let what = "a comment of a version of RenLib before 3.0";
        return Err(ErrorKind::Unsupported(what.to_owned()).at(at));
    }
    let mut comment = String::new();
    if flags & COMMENT != 0 {
        comment = comment_of(&bytes.text()?);
    }
    if has_board_text {
        bytes.text()?;
    }
    Ok(Node {
        at,
        place,
        flags,
        comment,
    })
}

/// A comment of a line and a text, with a backspace between them: both are one text.
fn comment_of(bytes: &[u8]) -> String {
    let text = encodings::detected(bytes)
        .decode_without_bom_handling(bytes)
        .0;
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    match text.split_once('\u{8}') {
        Some(("", more)) => more.trim_end().to_owned(),
        Some((line, more)) => format!("{}\n{}", line.trim_end(), more.trim_end()),
        None => text.trim_end().to_owned(),
    }
}

/// A binary input, read by pairs of bytes.
struct Bytes<R> {
    input: std::io::BufReader<R>,
    offset: u64,
    /// The bytes of all texts so far, which are in memory together.
    texts: usize,
}

impl<R: Read> Bytes<R> {
    fn open(input: R) -> Self {
        let input = std::io::BufReader::with_capacity(64 * 1024, input);
        Self {
            input,
            offset: 0,
            texts: 0,
        }
    }

    const fn place(&self) -> Place {
        Place::Byte(self.offset)
    }

    /// The next two bytes; `None` at the end, before which one byte may be left over.
    fn pair(&mut self) -> Result<Option<[u8; 2]>, RecordError> {
        let mut pair = [0; 2];
        let mut len = 0;
        while len < pair.len() {
            match self.input.read(&mut pair[len..]) {
                Ok(0) => return Ok(None),
                Ok(read) => len += read,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => return Err(ErrorKind::Io(error).at(self.place())),
            }
        }
        self.offset += 2;
        Ok(Some(pair))
    }

    /// A text up to a zero.
    fn text(&mut self) -> Result<Vec<u8>, RecordError> {
        let begin = self.place();
        let mut text = Vec::new();
        loop {
            let Some([first, second]) = self.pair()? else {
                return Err(ErrorKind::CutOff.at(begin));
            };
            self.texts += 2;
            if self.texts > crate::MAX_GAME_LEN {
                return Err(ErrorKind::TooLong.at(begin));
            }
            if first == 0 {
                return Ok(text);
            }
            text.push(first);
            if second == 0 {
                return Ok(text);
            }
            text.push(second);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Options, read};

    const HEAD: &[u8] = b"\xffRenLib\xff\x03\x04\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff";

    fn one(nodes: &[u8]) -> Result<GameRecord, RecordError> {
        let bytes = [HEAD, nodes].concat();
        let mut games = read(Form::RenLib, &*bytes, Options::default()).unwrap();
        let game = games.next().unwrap();
        assert!(games.next().is_none());
        game
    }

    /// The moves of each line, as `H8 H9`, with comments in parentheses.
    fn lines(record: &GameRecord) -> Vec<String> {
        let setup = Setup::new(15, Rule::Freestyle).unwrap();
        let followers = record.followers();
        let mut lines = Vec::new();
        for place in (0..record.moves.len()).filter(|&place| followers[place].is_empty()) {
            let (mut line, mut at) = (Vec::new(), Some(place));
            while let Some(place) = at {
                let mv = &record.moves[place];
                let Move::Gomoku(point) = mv.mv else { panic!() };
                let comment = if mv.comment.is_empty() {
                    String::new()
                } else {
                    format!("({})", mv.comment)
                };
                line.push(setup.point_name(point) + &comment);
                at = mv.after;
            }
            line.reverse();
            lines.push(line.join(" "));
        }
        lines
    }

    #[test]
    fn a_library_is_a_tree() {
        // h8, then h9 with i9 and i10 after it, or i8; then another first move.
        let nodes = [
            0, 0, 0x78, 0x80, 0x68, 0x80, 0x69, 0xc0, 0x59, 0x40, 0x79, 0x40, 0x88, 0x40,
        ];
        let record = one(&nodes).unwrap();
        assert_eq!(lines(&record), ["H8 H9 I9", "H8 H9 I10", "H8 I8", "H7"]);
        assert_eq!((record.main_line, &*record.rules), (3, "Renju"));
        let seats: Vec<_> = record.moves.iter().map(|mv| mv.seat.number()).collect();
        assert_eq!(seats, [1, 2, 1, 1, 2, 1]);
    }

    #[test]
    fn comments_and_texts_take_an_even_number_of_bytes() {
        let nodes = b"\x78\x08one\x00\x79\x08\x08more\x00\x7a\x09\x00\x01a\x08b\x00A\x00\x7b\x43\x00\x01text\x00\x00";
        let record = one(nodes).unwrap();
        assert_eq!(lines(&record), ["H8(one) I8(more) J8(a\nb)"]);
    }

    #[test]
    fn a_place_of_zero_is_a_pass() {
        let record = one(&[0, 0, 0x78, 0, 0, 0, 0x79, 0x40]).unwrap();
        let told: Vec<_> = record
            .moves
            .iter()
            .map(|mv| (mv.seat.number(), mv.mv.to_string()))
            .collect();
        assert_eq!(told, [(1, "7,7".into()), (1, "8,7".into())]);
    }

    #[test]
    fn files_of_the_first_versions_have_no_head() {
        let mut games = read(Form::RenLib, &[0x78, 0, 0x79, 0x40][..], Options::default()).unwrap();
        assert_eq!(lines(&games.next().unwrap().unwrap()), ["H8 I8"]);
    }

    #[test]
    fn faults_have_their_offset() {
        for (nodes, fault) in [
            (
                &b"\x70\x00"[..],
                "byte 20: expected a place on a board of 15 × 15",
            ),
            (
                b"\x78\x00\xf1\x00",
                "byte 22: expected a place on a board of 15 × 15",
            ),
            (b"\x78\x08on", "byte 22: the game is cut off"),
            (b"\x78\x01", "byte 20: the game is cut off"),
            (
                b"\x78\x20x\xff",
                "byte 20: not read: a comment of a version of RenLib before 3.0",
            ),
        ] {
            assert_eq!(one(nodes).unwrap_err().to_string(), fault);
        }
        let stop = one(&[0x78, 0, 0x78, 0x40]).unwrap().stop.unwrap();
        assert_eq!(
            stop.to_string(),
            "byte 22: move 2 cannot be played (occupied)"
        );
        for (bytes, fault) in [
            (&b""[..], "byte 0: nothing here has the form renlib"),
            (b"GIF89a", "byte 0: nothing here has the form renlib"),
            (
                b"\xffRenLib\xff\x04\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff",
                "byte 8: not read: version 4.0 of RenLib",
            ),
        ] {
            let mut games = read(Form::RenLib, bytes, Options::default()).unwrap();
            assert_eq!(games.next().unwrap().unwrap_err().to_string(), fault);
        }
    }

    #[test]
    fn comments_together_are_not_longer_than_a_game() {
        let mut nodes = vec![0x78, COMMENT];
        nodes.extend([b'x'; 1023]);
        nodes.push(0);
        let nodes = nodes.repeat(crate::MAX_GAME_LEN / 1024 + 1);
        let error = one(&nodes).unwrap_err();
        assert!(matches!(error.kind, ErrorKind::TooLong), "{error}");
    }

    #[test]
    fn depth_needs_no_stack() {
        let mut nodes = Vec::new();
        for _ in 0..200_000 {
            nodes.extend([0x78, 0x80, 0x79, 0x80]);
        }
        let record = one(&nodes).unwrap();
        assert_eq!((record.moves.len(), record.stop.unwrap().number), (2, 3));
    }
}
