//! `tochki pairings` and `tochki standings`: pairings and standings of tournaments that are written as text, without a server.

use anyhow::Context as _;
use clap::Args;
use std::io::{self, BufWriter, Read as _, Write as _};
use tochki_tournaments::{records, round_robin, trf};

/// The choice of pairings.
#[derive(Args)]
pub(crate) struct PairingsArgs {
    /// Print the rounds of a round robin of so many players instead.
    #[arg(long, value_name = "PLAYERS")]
    berger: Option<usize>,
    /// Let each pair meet twice, with sides swapped.
    #[arg(long, requires = "berger")]
    double: bool,
}

/// Prints the pairs of the next round of the Swiss on standard input, or those of a round robin. Where there are none, `error …` is
/// printed on standard output, which a program that wants the pairs reads, and the exit status is 1.
pub(crate) fn pairings(args: &PairingsArgs) -> anyhow::Result<()> {
    let answer = match args.berger {
        Some(players) => round_robin::table(players, args.double),
        None => {
            let mut file = Vec::new();
            io::stdin()
                .read_to_end(&mut file)
                .context("cannot read the file")?;
            trf::pairings(&file)
        }
    };
    let mut output = io::stdout().lock();
    match answer {
        Ok(pairs) => output.write_all(pairs.as_bytes())?,
        Err(reason) => {
            writeln!(output, "error {reason}")?;
            std::process::exit(1);
        }
    }
    Ok(())
}

/// Prints the standings of each tournament on standard input.
pub(crate) fn standings() -> anyhow::Result<()> {
    let (input, output) = (io::stdin().lock(), io::stdout().lock());
    Ok(records::standings(input, BufWriter::new(output))?)
}
