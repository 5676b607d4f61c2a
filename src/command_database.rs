//! The database of a command: the one of a running server, or our own Postgres started for the command alone.

use crate::data_dir;
use anyhow::Context as _;
use own_postgres::OwnPostgres;
use tochki_server::db::ConnectOptions;
use tochki_server::settings::Settings;

/// A database, as long as the command needs it.
pub(crate) struct CommandDatabase {
    pub(crate) options: ConnectOptions,
    /// The address of the database, if one was given.
    pub(crate) url: Option<String>,
    /// Our own Postgres, if no server had started it.
    own: Option<OwnPostgres>,
}

impl CommandDatabase {
    /// Finds the database or starts it.
    pub(crate) async fn open(settings: &Settings) -> anyhow::Result<Self> {
        let url = settings.database_url.clone();
        if let Some(url) = &url {
            let options = url.parse().context("DATABASE_URL is invalid")?;
            return Ok(Self {
                options,
                url: Some(url.clone()),
                own: None,
            });
        }
        let folder = data_dir(settings)?;
        let (options, own) = match OwnPostgres::of_running_server(&folder).await? {
            Some(options) => (options, None),
            None => {
                let own = OwnPostgres::start(&folder).await?;
                (own.options(), Some(own))
            }
        };
        Ok(Self { options, url, own })
    }

    /// Stops our own Postgres, if it was started.
    pub(crate) async fn close(self) {
        if let Some(own) = self.own {
            own.stop().await;
        }
    }
}
