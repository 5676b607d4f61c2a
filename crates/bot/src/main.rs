//! `tochki-bot`: an engine of one's own as a player at a server of Tochki.

use std::process::ExitCode;

fn main() -> ExitCode {
    tochki_bot::main(std::env::args_os())
}
