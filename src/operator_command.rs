//! `tochki operator`: the list of operators, and changes of it. The command works on the database of a running server, and
//! without one.

use crate::command_database::CommandDatabase;
use anyhow::Context as _;
use clap::Subcommand;
use tochki_protocol::Code;
use tochki_server::db::{self, Db};
use tochki_server::settings::Settings;
use tochki_server::{Error, moderation};

/// The action of the command.
#[derive(Subcommand)]
pub(crate) enum OperatorVerb {
    /// Make the owner of an account an operator.
    Add {
        /// The name of the account.
        name: String,
    },
    /// Make an operator a player like others.
    Remove {
        /// The name of the account.
        name: String,
    },
    /// Print the names of all operators.
    List,
}

/// Runs the command, and prints the changes.
#[tokio::main]
pub(crate) async fn run(settings: &Settings, verb: OperatorVerb) -> anyhow::Result<()> {
    let database = CommandDatabase::open(settings).await?;
    let db = db::open(database.options.clone(), 1, db::Timeouts::default())
        .await
        .context("cannot use the database")?;
    let done = change(&db, verb).await;
    db.close().await;
    database.close().await;
    println!("{}", done?);
    Ok(())
}

async fn change(db: &Db, verb: OperatorVerb) -> anyhow::Result<String> {
    match verb {
        OperatorVerb::Add { name } => {
            let (name, new) = moderation::appoint(db, &name).await.map_err(in_words)?;
            Ok(if new {
                format!("{name} is an operator now.")
            } else {
                format!("{name} is an operator already.")
            })
        }
        OperatorVerb::Remove { name } => {
            let (name, was) = moderation::dismiss(db, &name).await.map_err(in_words)?;
            Ok(if was {
                format!("{name} is no operator any more.")
            } else {
                format!("{name} is no operator.")
            })
        }
        OperatorVerb::List => {
            let operators = moderation::operators(db).await.map_err(in_words)?;
            let names: Vec<String> = operators.into_iter().map(|one| one.name).collect();
            Ok(if names.is_empty() {
                "There are no operators.".to_owned()
            } else {
                names.join("\n")
            })
        }
    }
}

fn in_words(error: Error) -> anyhow::Error {
    match error.code() {
        Code::NoSuchPlayer => anyhow::anyhow!("there is no account of this name"),
        _ => anyhow::anyhow!("{error}"),
    }
}
