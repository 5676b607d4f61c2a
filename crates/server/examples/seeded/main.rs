//! A large test database, and the cost of the queries on it.
//!
//! ```text
//! cargo make seed       # 100,000 players and 1,000,000 finished games, in data/seeded
//! cargo make explain    # execution times; fails if a query reads a whole large table
//! cargo make pack-size  # bytes a game before and after all games are packed, and games packed a second
//! ```
//!
//! `correspondence` fills an empty one with `SEEDED_MATCHES` running matches by correspondence (1,000,000), and `delays` tells how late
//! those were ended whose time ended within a minute (`SEEDED_DUE`, 10,000). `subscriptions` subscribes the players there to the push
//! service at `SEEDED_HOST`, and `pushes` queues `SEEDED_RATE` pushes a second for `SEEDED_SECONDS`. The load tool calls all of them.
//!
//! `SEEDED_DIR` sets another data directory, `DATABASE_URL` another database. All players have the password `tochki`.
//! `SEEDED_PLAYERS` sets the number of players, with ten games for each; `explain` works with any size.

mod correspondence;
mod explain;
mod games;
mod packs;
mod pushes;
mod rng;
mod seed;

use own_postgres::OwnPostgres;
use sqlx::{Connection as _, PgConnection, migrate::Migrator};
use std::{env, error::Error, path::Path, process::ExitCode};

/// The size of the database.
#[derive(Clone, Copy)]
struct Size {
    players: usize,
}

impl Size {
    /// `explain` uses players up to this number.
    const LEAST: usize = 4_000;

    /// From the environment variable `SEEDED_PLAYERS`.
    fn asked() -> Result<Self> {
        let players = env::var("SEEDED_PLAYERS").map_or(Ok(100_000), |text| text.parse())?;
        if players < Self::LEAST {
            return Err(format!("SEEDED_PLAYERS must be at least {}", Self::LEAST).into());
        }
        Ok(Self { players })
    }

    const fn matches(self) -> usize {
        10 * self.players
    }

    /// The number of matches, the last ones, with all their moves. The others have few.
    const fn long(self) -> usize {
        self.players / 5
    }
}

type Result<T> = std::result::Result<T, Box<dyn Error>>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    match run().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

async fn run() -> Result<()> {
    let verb = env::args().nth(1).unwrap_or_default();
    if let Ok(url) = env::var("DATABASE_URL") {
        return carry_out(&verb, &url).await;
    }
    let folder = env::var("SEEDED_DIR").unwrap_or_else(|_| "data/seeded".to_owned());
    std::fs::create_dir_all(&folder)?;
    let own = OwnPostgres::start(Path::new(&folder)).await?;
    let done = carry_out(&verb, &own.url()).await;
    own.stop().await;
    done
}

async fn carry_out(verb: &str, url: &str) -> Result<()> {
    let mut db = PgConnection::connect(url).await?;
    let migrations = Migrator::new(Path::new("migrations")).await?;
    match verb {
        "seed" => seed::fill(&mut db, &migrations, Size::asked()?).await,
        "explain" => {
            migrations.run(&mut db).await?;
            explain::all(&mut db).await
        }
        "correspondence" => {
            let count = env::var("SEEDED_MATCHES").map_or(Ok(1_000_000), |text| text.parse())?;
            let due =
                env::var("SEEDED_DUE").map_or(Ok(correspondence::DUE), |text| text.parse())?;
            correspondence::fill(&mut db, &migrations, count, due).await
        }
        "packs" => {
            migrations.run(&mut db).await?;
            packs::measure(&mut db, url).await
        }
        "delays" => correspondence::delays(&mut db).await,
        "subscriptions" => pushes::subscribe(&mut db).await,
        "pushes" => pushes::queue(&mut db).await,
        _ => Err(
            "say `seed`, `explain`, `packs`, `correspondence`, `delays`, `subscriptions` or `pushes`"
                .into(),
        ),
    }
}
