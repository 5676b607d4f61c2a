//! Reads files of records, and prints for each how many games and moves it has and what cannot be read. With `--write`, each record
//! is also written in every form that has it, and read back.
//!
//! ```sh
//! cargo run --release -p tochki-records --example survey -- [--form FORM] [--names FOLDER] [--write] FILE…
//! ```

use std::collections::BTreeMap;
use std::error::Error;
use std::fs::File;
use std::io::{BufReader, Read as _};
use std::time::Instant;
use tochki_records::wthor::Names;
use tochki_records::{Form, GameRecord, Options, Writer, read};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (mut form, mut writes, mut options) = (None, false, Options::default());
    while let Some(argument) = arguments.next() {
        match &*argument {
            "--form" => form = Some(arguments.next().unwrap_or_default().parse::<Form>()?),
            "--write" => writes = true,
            "--names" => {
                let folder = arguments.next().unwrap_or_default();
                let open = |name| File::open(format!("{folder}/{name}"));
                options.names = Names::default()
                    .with_players(open("WTHOR.JOU")?)?
                    .with_tournaments(open("WTHOR.TRN")?)?;
            }
            path => survey(path, form, writes, &options)?,
        }
    }
    Ok(())
}

fn survey(
    path: &str,
    form: Option<Form>,
    writes: bool,
    options: &Options,
) -> Result<(), Box<dyn Error>> {
    let mut head = Vec::new();
    File::open(path)?.take(4096).read_to_end(&mut head)?;
    let Some(form) = form.or_else(|| Form::detect(path, &head)) else {
        println!("{path}: no form");
        return Ok(());
    };
    let begin = Instant::now();
    let (mut games, mut moves, mut variations, mut warnings, mut scored) = (0, 0, 0, 0, [0; 2]);
    let mut faults: BTreeMap<String, usize> = BTreeMap::new();
    let mut lost: BTreeMap<Form, usize> = BTreeMap::new();
    let mut note = |fault: String| *faults.entry(fault).or_default() += 1;
    for game in read(form, BufReader::new(File::open(path)?), options.clone())? {
        let game = match game {
            Ok(game) => game,
            Err(error) => {
                note(error.to_string());
                continue;
            }
        };
        games += 1;
        moves += game.main_line;
        variations += game.moves.len() - game.main_line;
        warnings += game.warnings.len();
        if let Some(stop) = game.stop {
            note(stop.to_string());
        }
        if let Some(agrees) = agrees(&game) {
            scored[usize::from(agrees)] += 1;
        }
        if writes {
            for form in Form::ALL {
                if form != Form::Wthor
                    && form.writes(game.kind())
                    && !reads_back(form, &game, options)
                {
                    *lost.entry(form).or_default() += 1;
                }
            }
        }
    }
    let seconds = begin.elapsed().as_secs_f64();
    println!(
        "{path}: {form}, {games} games, {moves} moves, {variations} in variations, {warnings} warnings; results that agree {} and differ {}; {seconds:.2} s",
        scored[1], scored[0]
    );
    for (form, count) in lost {
        println!("    {count} games do not read back from {form}");
    }
    for (fault, count) in faults.iter().take(8) {
        println!("    {count} × {fault}");
    }
    if faults.len() > 8 {
        println!("    … {} more", faults.len() - 8);
    }
    Ok(())
}

/// Whether the result of a game that is over by its rules is the one of its record.
fn agrees(game: &GameRecord) -> Option<bool> {
    use tochki_rules::record::GameResult;
    let mut position = tochki_rules::Position::new(&game.setup);
    for placed in &game.start {
        position.play_as(placed.seat, placed.mv).ok()?;
    }
    for mv in game.main_line() {
        position.play_as(mv.seat, mv.mv).ok()?;
    }
    let winner = position.outcome()?.winner;
    Some(match game.result? {
        GameResult::Draw => winner.is_none(),
        GameResult::Won { by, .. } => winner == Some(by),
    })
}

fn reads_back(form: Form, game: &GameRecord, options: &Options) -> bool {
    let mut writer = Writer::new(form, Vec::new());
    if writer.write(game).is_err() {
        return false;
    }
    let Ok(bytes) = writer.finish() else {
        return false;
    };
    let options = match game.setup {
        tochki_rules::Setup::Gomoku(gomoku) => Options {
            gomoku,
            ..options.clone()
        },
        _ => options.clone(),
    };
    let Ok(mut games) = read(form, &*bytes, options) else {
        return false;
    };
    let moves = |game: &GameRecord| -> Vec<_> {
        game.main_line().iter().map(|mv| (mv.seat, mv.mv)).collect()
    };
    matches!(games.next(), Some(Ok(again)) if moves(&again) == moves(game) && again.stop.is_none())
}
