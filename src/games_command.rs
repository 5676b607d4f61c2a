//! `tochki games`: packs the finished games, unpacks them for the release before, and says what they take. The command works on the
//! database of a running server, and without one.

use crate::command_database::CommandDatabase;
use anyhow::Context as _;
use clap::Subcommand;
use std::time::Instant;
use tochki_protocol::MatchId;
use tochki_server::db::{self, maintenance};
use tochki_server::matches::packing;
use tochki_server::settings::Settings;

/// The action of the command.
#[derive(Clone, Copy, Subcommand)]
pub(crate) enum GamesVerb {
    /// Pack the events of all games that ended an hour ago or earlier into a row for each. The release before this one cannot read
    /// them.
    Pack,
    /// Unpack all games, so that the release before reads them. Set `PACK_GAMES` to off first.
    Unpack,
    /// Print the bytes of each table, in all and for each finished game.
    Size,
}

/// Runs the command.
#[tokio::main]
pub(crate) async fn run(settings: &Settings, verb: GamesVerb) -> anyhow::Result<()> {
    let database = CommandDatabase::open(settings).await?;
    let done = match verb {
        GamesVerb::Pack | GamesVerb::Unpack => change(&database, verb).await,
        GamesVerb::Size => size(&database).await,
    };
    database.close().await;
    done
}

async fn change(database: &CommandDatabase, verb: GamesVerb) -> anyhow::Result<()> {
    let db = db::open(database.options.clone(), 1, db::Timeouts::default())
        .await
        .context("cannot use the database")?;
    let begun = Instant::now();
    let mut left = 0;
    let report = |id: MatchId, why: &str| {
        println!("match {id} stays as it is: {why}");
        left += 1;
    };
    let (done, word) = match verb {
        GamesVerb::Unpack => (packing::unpack_all(&db, report).await, "unpacked"),
        _ => (packing::pack_all(&db, report).await, "packed"),
    };
    db.close().await;
    let count = done?;
    let seconds = begun.elapsed().as_secs_f64();
    let rate = count as f64 / seconds;
    println!("{count} games {word} in {seconds:.1} s, {rate:.0} a second");
    if left > 0 {
        anyhow::bail!("{left} games stay as they are");
    }
    Ok(())
}

async fn size(database: &CommandDatabase) -> anyhow::Result<()> {
    let db = maintenance::open_to_read(database.options.clone()).await?;
    let sizes = maintenance::game_sizes(&db).await;
    db.close().await;
    print!("{}", sizes?);
    Ok(())
}
