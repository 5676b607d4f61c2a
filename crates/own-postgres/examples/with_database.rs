//! Runs a command with a database that has all migrations of `./migrations`, and ends with its exit code.
//!
//! ```text
//! cargo run --features postgres --example with_database -- cargo check --features ssr
//! ```
//!
//! The command finds the database in `DATABASE_URL`. Where that is set already, that database is used; else a temporary one is
//! made and thrown away. The program is an example rather than a command of the server because it must run while the server's
//! queries do not compile: that is when they are refreshed.

use std::{
    env,
    error::Error,
    path::Path,
    process::{Command, ExitCode, ExitStatus},
};

use own_postgres::OwnPostgres;
use sqlx::{Connection as _, PgConnection, migrate::Migrator};

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    match run_command().await {
        // A command ended by a signal has no code of its own.
        Ok(status) => {
            let code = status.code().and_then(|code| u8::try_from(code).ok());
            ExitCode::from(code.unwrap_or(1))
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Runs the command that the arguments say.
async fn run_command() -> Result<ExitStatus, Box<dyn Error>> {
    let words: Vec<_> = env::args_os().skip(1).collect();
    let [program, arguments @ ..] = words.as_slice() else {
        return Err("say which command to run".into());
    };
    let mut command = Command::new(program);
    command.args(arguments);

    if let Ok(url) = env::var("DATABASE_URL") {
        return run(command, &url).await;
    }
    let folder = tempfile::tempdir()?;
    let own = OwnPostgres::start(folder.path()).await?;
    let status = run(command, &own.url()).await;
    own.stop().await;
    status
}

/// Migrates the database, then runs the command on it.
async fn run(mut command: Command, url: &str) -> Result<ExitStatus, Box<dyn Error>> {
    let mut database = PgConnection::connect(url).await?;
    Migrator::new(Path::new("migrations"))
        .await?
        .run(&mut database)
        .await?;
    database.close().await?;
    Ok(command.env("DATABASE_URL", url).status()?)
}
