//! Trains the weights of the engines, from nothing, with a fixed seed: `cargo run --release -p tochki-train --
//! dots|reversi|gomoku FILE`; or writes the weights that it begins with, `dots-rule` and `gomoku-rule`, or measures the
//! deviations that searches rely on, `reversi-cuts`.

mod bradley_terry;
mod dots;
mod gomoku;
mod reversi;

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match arguments[..] {
        ["dots", file] => dots::train(file),
        ["dots-rule", file] => dots::write_rule_of_thumb(file),
        ["reversi", file] => reversi::train(file),
        ["gomoku", file] => gomoku::train(file),
        ["gomoku-rule", file] => gomoku::write_rule_of_thumb(file),
        ["reversi-cuts"] => {
            reversi::measure_cuts();
            Ok(())
        }
        _ => {
            eprintln!(
                "tochki-train dots FILE | dots-rule FILE | reversi FILE | reversi-cuts | gomoku FILE | gomoku-rule FILE"
            );
            return ExitCode::FAILURE;
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
