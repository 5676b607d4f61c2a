//! SGF of Gomoku, Reversi and Dots and Boxes. The samples are written after what programs write: Gomoku Quest, web boards of Renju,
//! Edax (<https://github.com/abulmo/edax-reversi>, `game.c`).

use crate::error::ErrorKind;
use crate::{Form, GameRecord, Options, Place, RecordError, StopReason, Warning, Writer, read};
use tochki_rules::{Illegal, MoveError};

fn all(sgf: &str) -> Vec<Result<GameRecord, RecordError>> {
    read(Form::Sgf, sgf.as_bytes(), Options::default())
        .unwrap()
        .collect()
}

#[track_caller]
fn one(sgf: &str) -> GameRecord {
    let mut all = all(sgf);
    assert_eq!(all.len(), 1, "{sgf}");
    all.remove(0).unwrap()
}

/// The moves of all lines: `1:7,7 2:8,8`, with comments in parentheses.
fn told(record: &GameRecord) -> Vec<String> {
    let followers = record.followers();
    let mut lines = Vec::new();
    for (place, _) in record
        .moves
        .iter()
        .enumerate()
        .filter(|(place, _)| followers[*place].is_empty())
    {
        let mut line = Vec::new();
        let mut at = Some(place);
        while let Some(place) = at {
            let mv = &record.moves[place];
            let comment = if mv.comment.is_empty() {
                String::new()
            } else {
                format!("({})", mv.comment)
            };
            line.push(format!("{}:{}{comment}", mv.seat.number(), mv.mv));
            at = mv.after;
        }
        line.reverse();
        lines.push(line.join(" "));
    }
    lines
}

fn written(record: &GameRecord) -> String {
    let mut writer = Writer::new(Form::Sgf, Vec::new());
    writer.write(record).unwrap();
    String::from_utf8(writer.finish().unwrap()).unwrap()
}

#[track_caller]
fn check(sgf: &str, lines: &[&str]) -> GameRecord {
    let record = one(sgf);
    assert_eq!(told(&record), lines, "{sgf}");
    let again = one(&written(&record));
    // Branches come together where the text had them apart, so that the order of the moves may be another one.
    assert_eq!(written(&again), written(&record), "{sgf}");
    assert_eq!(again.main_line(), record.main_line(), "{sgf}");
    assert_eq!(again.start, record.start, "{sgf}");
    record
}

#[test]
fn a_game_of_gomoku_has_names_moves_and_result() {
    let record = check(
        "(;GM[4]SZ[15]RE[W+]\nPB[ann (1419)]\nPW[:Bot \\]]DT[2019.04.07]EV[cup]RO[3]PC[Kyoto]BR[3 dan]RU[renju]C[a\\\nb]\n;B[hh];W[ii]C[so];B[ig];W[])",
        &["1:7,7 2:8,8(so) 1:8,6"],
    );
    assert_eq!(record.setup, Options::default().gomoku.into_setup());
    let [black, white] = &record.players;
    assert_eq!(
        (&*black.name, &*black.rank, &*white.name),
        ("ann (1419)", "3 dan", ":Bot ]")
    );
    assert_eq!(
        (&*record.date, &*record.event, &*record.round, &*record.site),
        ("2019-04-07", "cup", "3", "Kyoto")
    );
    assert_eq!((&*record.rules, &*record.comment), ("renju", "ab"));
    assert_eq!(record.result.unwrap().to_string(), "W+");
    assert_eq!((record.stop, record.warnings), (None, Vec::new()));
}

trait IntoSetup {
    fn into_setup(self) -> tochki_rules::Setup;
}

impl IntoSetup for tochki_rules::gomoku::Setup {
    fn into_setup(self) -> tochki_rules::Setup {
        tochki_rules::Setup::Gomoku(self)
    }
}

#[test]
fn both_comments_on_the_game_and_every_draw_are_read() {
    let record = check(
        "(;GM[4]SZ[15]GC[about]C[first]RE[B+Draw];B[hh])",
        &["1:7,7"],
    );
    assert_eq!(
        (&*record.comment, record.result.unwrap().to_string()),
        ("about\nfirst", "0".into())
    );
}

#[test]
fn moves_may_stand_in_one_node_and_have_names() {
    check(
        "(;GM[4]FF[4]SZ[15]RE[0]B[hh]W[ig]B[gj])",
        &["1:7,7 2:8,6 1:6,9"],
    );
    check(
        "(;GM[4]SZ[19];B[k10];W[A1];B[s19])",
        &["1:10,9 2:0,18 1:18,0"],
    );
    check("(;GM[4]SZ[15];B[hh];W[tt];B[ii])", &["1:7,7 1:8,8"]);
    // On larger boards it is a point.
    check("(;GM[4]SZ[20];B[hh];W[tt];B[ii])", &["1:7,7 2:19,19 1:8,8"]);
}

#[test]
fn stones_may_be_set_up_before_the_first_move() {
    let record = check("(;GM[4]SZ[15]AB[hh][ig]AW[gi:gj]PL[W];W[aa])", &["2:0,0"]);
    assert_eq!(record.start.len(), 4);
    for (sgf, number) in [
        ("(;GM[4]SZ[15];B[aa];AB[bb];W[cc])", 2),
        ("(;GM[4]SZ[15]AB[aa];AE[aa];B[cc])", 0),
    ] {
        let stop = one(sgf).stop.unwrap();
        assert_eq!(
            (stop.number, stop.why),
            (number, StopReason::SetUp),
            "{sgf}"
        );
    }
}

#[test]
fn a_stone_that_cannot_be_set_up_ends_the_game_before_its_moves() {
    for (setup, code) in [
        ("AB[aa]AW[aa]", "occupied"),
        ("AB[pa]", "off_board"),
        ("AB[cc:aa]", "malformed_move"),
        ("AB[tt]", "malformed_move"),
    ] {
        let record = one(&format!("(;GM[4]SZ[15]{setup};B[dd])"));
        let stop = record.stop.unwrap();
        assert_eq!(
            (stop.number, stop.why.code(), record.main_line),
            (0, code, 0),
            "{setup}"
        );
    }
}

#[test]
fn variations_and_comments_are_a_tree() {
    let record = check(
        "(;GM[4]SZ[15]C[on the game];B[hh](;W[ih](;B[gh]C[a \\] b])(;B[gg];W[jj]))(;W[ig])(;W[ih];B[kk]))",
        &[
            "1:7,7 2:8,7 1:6,7(a ] b)",
            "1:7,7 2:8,7 1:6,6 2:9,9",
            "1:7,7 2:8,6",
            "1:7,7 2:8,7 1:10,10",
        ],
    );
    assert_eq!((record.main_line, &*record.comment), (3, "on the game"));
    let record = check(
        "(;GM[4]SZ[15];B[hh](;W[ii])(;W[hh];B[aa])(;W[zz])(;W[jj]))",
        &["1:7,7 2:8,8", "1:7,7 2:9,9"],
    );
    assert_eq!(record.warnings, [Warning::ShortenedVariations(2)]);
}

#[test]
fn a_move_that_cannot_be_played_has_its_place() {
    let why = |why| StopReason::Move(MoveError::Illegal(why));
    for (sgf, number, place, reason) in [
        (
            "(;GM[4]SZ[15];B[hh]\n;W[hh];B[aa])",
            2,
            Place::text(2, 4),
            why(Illegal::Occupied),
        ),
        (
            "(;GM[4]SZ[15];B[pp])",
            1,
            Place::text(1, 17),
            why(Illegal::OffBoard),
        ),
        (
            "(;GM[4]SZ[15]PB[Ё];B[?])",
            1,
            Place::text(1, 22),
            StopReason::Move(MoveError::Malformed),
        ),
        (
            "(;GM[4]SZ[15]B[aa][ba][ca][da][ea];W[hh])",
            6,
            Place::text(1, 38),
            StopReason::Finished,
        ),
        (
            "(;GM[2];B[fe];W[aa])",
            2,
            Place::text(1, 17),
            why(Illegal::FlipsNothing),
        ),
        (
            "(;GM[2];B[fe];B[df])",
            2,
            Place::text(1, 17),
            StopReason::OutOfTurn,
        ),
        (
            "(;GM[2];B[fe];W[pa])",
            2,
            Place::text(1, 17),
            StopReason::PassWithMove,
        ),
        (
            "(;GM[40]SZ[5];B[aa]\n;W[aa])",
            2,
            Place::text(2, 4),
            why(Illegal::Occupied),
        ),
    ] {
        let stop = one(sgf).stop.unwrap_or_else(|| panic!("{sgf}"));
        assert_eq!(
            (stop.number, stop.place, stop.why),
            (number, place, reason),
            "{sgf}"
        );
    }
}

#[test]
fn reversi_has_letters_or_names() {
    let lines = &["1:5,4 2:3,5 1:2,2 2:3,2 1:2,3"];
    check("(;GM[2];B[fe];W[df];B[cc];W[dc];B[cd])", lines);
    // As Edax writes it.
    check(
        "(;FF[4]GM[2]AP[edax:4.5.5]\nPC[Edax]DT[2026-10-07]\nPB[?]PW[?]\nSZ[8]AB[e4][d5]AW[d4][e5]PL[B]\nRE[Void]\nB[f5];W[d6];\nB[c3];W[d3];\nB[c4];)",
        lines,
    );
    for sgf in [
        "(;GM[2]SZ[8]AB[e4]AW[d4][e5]PL[B];B[f5])",
        "(;GM[2]AB[e4][d5]AW[d4][e6];B[f5])",
        "(;GM[2]PL[W];W[f5])",
    ] {
        let error = all(sgf).remove(0).unwrap_err();
        assert!(
            matches!(error.kind, ErrorKind::Unsupported(_)),
            "{sgf}: {error}"
        );
    }
}

#[test]
fn dots_and_boxes_are_pairs_of_dots() {
    let record = check(
        "(;GM[Dots and Boxes]SZ[2:3];B[aaba];W[aaab];B[babb];W[abbb];W[bcac])",
        &["1:h:0,0 2:v:0,0 1:v:1,0 2:h:0,1 2:h:0,2"],
    );
    assert_eq!(
        written(&record).lines().next_back(),
        Some(";B[aaba];W[aaab];B[babb];W[abbb];W[acbc])")
    );
}

#[test]
fn dots_keep_their_variations_and_texts() {
    let record = check(
        "(;GM[40]SZ[5]AB[cc][dd]AW[dc][cd]EV[cup]PB[ann]RE[B+1]RU[Punish=1];B[aa](;W[ee]C[x])(;W[ea]))",
        &["1:0,0 2:4,4(x)", "1:0,0 2:4,0"],
    );
    assert_eq!((&*record.event, record.main_line), ("cup", 2));
    assert_eq!(
        record.warnings,
        [Warning::OtherRules(vec!["Punish=1".into()])]
    );
}

#[test]
fn a_collection_goes_on_after_a_game_that_cannot_be_read() {
    let sgf = "(;GM[4]SZ[15];B[hh])\n(;GM[1]SZ[19];B[dd])\n(;GM[4]SZ[99];B[hh])(;GM[4]SZ[15]B[ii";
    let games = all(sgf);
    let errors: Vec<_> = games
        .iter()
        .map(|game| game.as_ref().err().map(ToString::to_string))
        .collect();
    assert_eq!(
        errors,
        [
            None,
            Some("line 2, column 1: a record of another game (GM[1])".to_owned()),
            Some("line 3, column 11: no board has this size".to_owned()),
            None
        ]
    );
    assert_eq!(
        games[3].as_ref().unwrap().warnings,
        [Warning::CutOff(Place::text(3, 35))]
    );
    let none = all("no game at all").remove(0).unwrap_err();
    assert!(matches!(none.kind, ErrorKind::NotThisForm(Form::Sgf)));
}

#[test]
fn an_opening_in_properties_of_a_site_is_not_left_out_silently() {
    let error = all("(;GM[4]FF[4]SZ[15]GN[gomokuquest]\n;QPR[hh,hg,jf];QSLW[ig];B[gg])")
        .remove(0)
        .unwrap_err();
    assert_eq!(error.place, Place::text(2, 6));
    assert!(matches!(error.kind, ErrorKind::Unsupported(_)));
}

/// Looking for the place of each of them in the text would take minutes.
#[test]
fn many_variations_that_cannot_be_played_take_linear_time() {
    let sgf = format!(
        "(;GM[4]SZ[15];B[hh]C[{}]{})",
        "x".repeat(1_000_000),
        "(;W[hh])".repeat(50_000)
    );
    let record = one(&sgf);
    assert_eq!(record.moves.len(), 1);
    assert_eq!(record.warnings, [Warning::ShortenedVariations(49_999)]);
}

#[test]
fn a_variation_does_not_take_the_place_of_a_main_line_that_has_ended() {
    for sgf in [
        "(;GM[4]SZ[15];B[hh](;W[hh])(;W[ii]))",
        "(;GM[4]SZ[15](;B[zz])(;B[ii];W[jj]))",
        "(;GM[Dots and Boxes]SZ[3];B[aaba](;W[xxxx])(;W[aaab])(;W[babb]))",
        "(;GM[40]SZ[9];B[aa](;W[aa])(;W[bb]))",
    ] {
        let record = one(sgf);
        assert!(record.has_variations() && record.stop.is_some(), "{sgf}");
        let again = one(&written(&record));
        assert_eq!(again.main_line(), record.main_line(), "{sgf}");
        assert_eq!(again.moves, record.moves, "{sgf}");
    }
}

#[test]
fn discs_of_reversi_are_set_up_only_where_they_are_at_the_start() {
    for (sgf, stop) in [
        (
            "(;GM[2];AB[dd];B[fe])",
            Some("line 1, column 12: move 0 cannot be played (set_up)"),
        ),
        ("(;GM[2];AW[dd];B[fe])", None),
        (
            "(;GM[2];AB[ed:ee];B[fe])",
            Some("line 1, column 12: move 0 cannot be played (malformed_move)"),
        ),
    ] {
        let record = one(sgf);
        let told = record.stop.map(|stop| stop.to_string());
        assert_eq!(told.as_deref(), stop, "{sgf}");
        assert_eq!(record.moves.len(), usize::from(stop.is_none()), "{sgf}");
    }
}

#[test]
fn the_rule_of_gomoku_is_that_of_the_game_whatever_its_name() {
    let overline = "W[aa];B[hh];W[ba];B[ih];W[ca];B[jh];W[da];B[lh];W[fa];B[mh];W[ac];B[kh];W[ae]";
    for (rule, rules, written_as) in [
        ("standard", "", "RU[standard]"),
        ("standard", "Standard", "RU[Standard]"),
        ("standard", "of the club", "RU[standard]"),
        ("freestyle", "of the club", "RU[of the club]"),
        ("freestyle", "standard", "RU[freestyle]"),
        ("freestyle", "", ""),
    ] {
        let mut record = one(&format!("(;GM[4]SZ[15]RU[{rule}];{overline})"));
        rules.clone_into(&mut record.rules);
        let text = written(&record);
        assert!(text.contains(written_as), "{text}");
        assert_eq!(text.contains("RU["), !written_as.is_empty(), "{text}");
        let again = one(&text);
        assert_eq!(again.setup, record.setup, "{text}");
        assert_eq!(again.main_line(), record.main_line(), "{text}");
        // Six in a row end only the game in which they win.
        assert_eq!(record.stop.is_some(), rule == "freestyle");
    }
}

#[test]
fn words_of_a_file_control_no_terminal() {
    let error = all("(;GM[\u{1b}[2J\\]0;x\u{7}])").remove(0).unwrap_err();
    let told = error.to_string();
    assert!(!told.contains(char::is_control), "{told:?}");
}

#[test]
fn ten_thousand_variations_and_any_depth_need_no_stack() {
    let wide = format!("(;GM[4]SZ[15];B[hh]{})", "(;W[ii];B[jj])".repeat(10_000));
    assert_eq!(one(&wide).moves.len(), 3);
    let deep = format!("(;GM[4]SZ[15]{}", "(;B[hh](;W[])".repeat(50_000));
    let record = one(&deep);
    assert_eq!(record.main_line, 1);
    let deep = format!("(;GM[4]SZ[15];B[hh]{}", "(;C[x]".repeat(200_000));
    assert_eq!(told(&one(&deep)), ["1:7,7"]);
}

#[test]
fn encodings_are_those_of_the_text() {
    use encoding_rs::{EUC_KR, GB18030, SHIFT_JIS, WINDOWS_1251};
    for (name, encoding) in [
        ("Аня", WINDOWS_1251),
        ("李世民", GB18030),
        ("河村さん", SHIFT_JIS),
        ("김철수", EUC_KR),
    ] {
        let sgf = format!("(;GM[4]CA[{}]SZ[15]PB[{name}];B[hh])", encoding.name());
        let bytes = encoding.encode(&sgf).0;
        let record = read(Form::Sgf, &*bytes, Options::default())
            .unwrap()
            .next()
            .unwrap()
            .unwrap();
        assert_eq!(record.players[0].name, name);
    }
    let sgf: Vec<u8> = "\u{feff}(;GM[4]SZ[15]PB[Аня];B[hh])"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let record = read(Form::Sgf, &*sgf, Options::default())
        .unwrap()
        .next()
        .unwrap()
        .unwrap();
    assert_eq!(record.players[0].name, "Аня");
}
