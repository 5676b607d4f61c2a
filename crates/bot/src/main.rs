//! `tochki-bot`: your engine as a player on a server of Tochki.

use std::process::ExitCode;

fn main() -> ExitCode {
    tochki_bot::main(std::env::args_os())
}
