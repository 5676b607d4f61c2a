//! `tochki puzzles`: `find` looks for puzzles in the finished games of the arena; `make` and `check` need no database.

use crate::data_dir;
use anyhow::Context as _;
use clap::Subcommand;
use own_postgres::OwnPostgres;
use tochki_engine_cli::puzzles;
use tochki_protocol::limits;
use tochki_puzzles::Puzzle;
use tochki_puzzles::finder::{Finder, SearchBudget};
use tochki_server::db::{self, Db};
use tochki_server::puzzles::search;
use tochki_server::settings::Settings;

/// The action of the command.
#[derive(Subcommand)]
pub(crate) enum PuzzlesVerb {
    /// Look through the finished games that were not looked at yet, and store the puzzles in them.
    Find {
        /// The largest number of games; all if it is left out.
        #[arg(long)]
        games: Option<u32>,
    },
    #[command(flatten)]
    Engines(puzzles::PuzzlesVerb),
}

/// Runs the command, and prints the puzzles that were found.
pub(crate) fn run(settings: &Settings, verb: PuzzlesVerb) -> anyhow::Result<()> {
    match verb {
        PuzzlesVerb::Find { games } => find(settings, games.unwrap_or(u32::MAX)),
        PuzzlesVerb::Engines(verb) => verb.run().map_err(anyhow::Error::from_boxed),
    }
}

#[tokio::main]
async fn find(settings: &Settings, games: u32) -> anyhow::Result<()> {
    let (options, own) = match &settings.database_url {
        Some(url) => (url.parse().context("DATABASE_URL is invalid")?, None),
        None => {
            let folder = data_dir(settings)?;
            match OwnPostgres::of_running_server(&folder).await? {
                Some(options) => (options, None),
                None => {
                    let own = OwnPostgres::start(&folder).await?;
                    (own.options(), Some(own))
                }
            }
        }
    };
    let db = db::open(options, 1, db::Timeouts::default())
        .await
        .context("cannot use the database")?;
    let done = find_all(&db, games).await;
    db.close().await;
    if let Some(own) = own {
        own.stop().await;
    }
    let (searched, found) = done?;
    println!("Games searched: {searched}. New puzzles: {found}.");
    Ok(())
}

/// Searches so many games, or all that are left.
async fn find_all(db: &Db, games: u32) -> anyhow::Result<(u32, u64)> {
    let mut finder = Finder::new(SearchBudget::FIND);
    let mut longer = Finder::new(SearchBudget::CONFIRM);
    let (mut searched, mut found) = (0, 0);
    while searched < games {
        let batch = (games - searched).min(limits::PUZZLE_SEARCH_BATCH_LEN);
        let find = |setup: &_, moves: &[_]| {
            let found = finder.find(setup, moves).into_iter();
            found
                .filter(|puzzle| longer.confirms(puzzle))
                .collect::<Vec<Puzzle>>()
        };
        let (count, added) = search(db, i64::from(batch), find)
            .await
            .map_err(|error| anyhow::anyhow!("{error}"))?;
        if count == 0 {
            break;
        }
        searched += u32::try_from(count).unwrap_or(u32::MAX);
        found += added;
    }
    Ok((searched, found))
}
