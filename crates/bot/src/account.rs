//! The accounts of the bot, and their shared state.

use crate::args::Args;
use crate::engine::Command;
use crate::error::Error;
use crate::reply::is_final;
use crate::rules::Rules;
use crate::slots::Slots;
use std::collections::HashSet;
use std::sync::{Arc, Mutex};
use tochki_client::Client;
use tochki_client::protocol::{Account, PlayerId, limits};
use tochki_client::rules::GameKind;
use tokio::time::sleep;

/// State shared by all accounts of the bot.
pub(crate) struct Bot {
    pub(crate) command: Command,
    pub(crate) games: Vec<GameKind>,
    pub(crate) rules: Rules,
    pub(crate) slots: Slots,
    /// Accounts of this bot do not play each other.
    pub(crate) own: Mutex<HashSet<PlayerId>>,
}

/// An account at the server.
pub(crate) struct Player {
    pub(crate) bot: Arc<Bot>,
    pub(crate) client: Client,
    pub(crate) account: Account,
}

impl Bot {
    pub(crate) fn new(args: &Args) -> Result<Self, Error> {
        let rules = Rules::read(args.rules.as_deref())?;
        for &game in &args.game {
            if args.protocol.game().is_some_and(|only| only != game) {
                return Err(format!("this protocol does not know {game}").into());
            }
        }
        if args.games == Some(0) {
            return Err("--games is at least 1".into());
        }
        Ok(Self {
            command: Command {
                words: args.engine.clone(),
                protocol: args.protocol,
                idle_timeout: rules.engine.idle_timeout(),
            },
            games: args.game.clone(),
            slots: Slots::new(args.games.unwrap_or(rules.games)),
            rules,
            own: Mutex::default(),
        })
    }
}

impl Player {
    /// The account of a token. A server that is away is waited for.
    pub(crate) async fn sign_in(bot: Arc<Bot>, server: &str, token: &str) -> Result<Self, Error> {
        let client = Client::new(server, token)?;
        let account = loop {
            match client.whoami().await {
                Ok(account) => break account.ok_or("the token is of no account")?,
                Err(error) if is_final(&error) => return Err(error.into()),
                Err(error) => tracing::warn!("{error}; tried again"),
            }
            sleep(limits::BOT_RETRY_DELAY).await;
        };
        if !account.bot {
            let name = account.name;
            return Err(format!(
                "{name} is the account of a person, for whom no engine may play; its account page makes it one of a bot, if it has played no game"
            )
            .into());
        }
        bot.own.lock().unwrap().insert(account.id);
        Ok(Self {
            bot,
            client,
            account,
        })
    }
}
