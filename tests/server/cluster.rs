//! The Postgres behind all tests of this process, and a fresh database in it for each.

use own_postgres::OwnPostgres;
use sqlx::postgres::{PgConnectOptions, PgPool, PgPoolOptions};
use sqlx::{AssertSqlSafe, Connection as _, PgConnection};
use std::net::SocketAddr;
use std::path::Path;
use std::sync::{Arc, LazyLock, mpsc};

/// The database of one test. It is dropped with the last clone, because those of a whole run would take 5 GB.
#[derive(Clone, Debug)]
pub(crate) struct Database {
    url: String,
    name: Arc<DroppedWithValue>,
}

impl Database {
    /// A new, empty one.
    pub(crate) async fn fresh() -> Self {
        let name = format!("t_{:016x}", rand::random::<u64>());
        execute(&format!("create database {name}")).await;
        Self {
            url: CLUSTER.url_of(&name),
            name: Arc::new(DroppedWithValue(name)),
        }
    }

    /// Its address, as in `DATABASE_URL`.
    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// The same database behind another address.
    pub(crate) fn through(&self, address: SocketAddr) -> Self {
        let (scheme, rest) = self.url.split_once("://").expect("a scheme");
        let (authority, name) = rest.split_once('/').expect("a database");
        let user = authority.rsplit_once('@').map_or("", |(user, _)| user);
        Self {
            url: format!("{scheme}://{user}@{address}/{name}"),
            name: Arc::clone(&self.name),
        }
    }

    pub(crate) fn options(&self) -> PgConnectOptions {
        self.url.parse().expect("our own URL reads")
    }

    /// A few connections for the test itself.
    pub(crate) fn pool(&self) -> PgPool {
        PgPoolOptions::new()
            .max_connections(2)
            .connect_lazy_with(self.options())
    }
}

/// The name of a database that is to be dropped with this value.
#[derive(Debug)]
struct DroppedWithValue(String);

impl Drop for DroppedWithValue {
    fn drop(&mut self) {
        // The thread has ended only if it panicked; the next run drops what is left.
        let _ = UNUSED.send(std::mem::take(&mut self.0));
    }
}

/// Names of databases, to the thread that drops them. Connections that a test's server still has are ended.
static UNUSED: LazyLock<mpsc::Sender<String>> = LazyLock::new(|| {
    let (sender, names) = mpsc::channel::<String>();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .expect("a runtime");
        for name in names {
            runtime.block_on(execute(&format!("drop database {name} with (force)")));
        }
    });
    sender
});

/// A Postgres server, and how to address its databases.
struct Cluster {
    /// The URL before the name of the database, and what follows it.
    before: String,
    after: String,
    /// Ours unless `DATABASE_URL` names another one. It ends with this process, however that ends.
    _own: Option<OwnPostgres>,
}

static CLUSTER: LazyLock<Cluster> = LazyLock::new(|| {
    // On its own thread, because the runtime of the first test ends with that test.
    std::thread::spawn(|| {
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        runtime.block_on(Cluster::start())
    })
    .join()
    .expect("Postgres starts")
});

impl Cluster {
    async fn start() -> Self {
        let given = std::env::var("DATABASE_URL").ok();
        let own = match given {
            Some(_) => None,
            None => Some(start_own().await),
        };
        let url = given
            .or_else(|| own.as_ref().map(OwnPostgres::url))
            .expect("one of both is there");
        let (address, options) = url.split_once('?').unwrap_or((&url, ""));
        let (server, _) = address
            .rsplit_once('/')
            .expect("a database stands in the URL");
        let cluster = Self {
            before: format!("{server}/"),
            after: format!("?{options}"),
            _own: own,
        };
        cluster.drop_old_databases().await;
        cluster
    }

    fn url_of(&self, database: &str) -> String {
        format!("{}{database}{}", self.before, self.after)
    }

    /// Drops the databases of earlier runs; those in use by another run refuse.
    async fn drop_old_databases(&self) {
        let mut postgres = PgConnection::connect(&self.url_of("postgres"))
            .await
            .expect("a connection");
        let old: Vec<String> = sqlx::query_scalar(
            "select datname from pg_database d where datname ~ '^t_[0-9a-f]{16}$'
             and not exists (select from pg_stat_activity a where a.datid = d.oid)",
        )
        .fetch_all(&mut postgres)
        .await
        .expect("a list of databases");
        for name in old {
            let _ = sqlx::raw_sql(AssertSqlSafe(format!("drop database {name}")))
                .execute(&mut postgres)
                .await;
        }
    }
}

async fn start_own() -> OwnPostgres {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("server");
    let own = OwnPostgres::start(&folder).await.expect("Postgres starts");
    let mut postgres = PgConnection::connect_with(&own.options().database("postgres"))
        .await
        .expect("a connection");
    // Tests do not need durability against power loss, and killing a server does not depend on it.
    for statement in [
        "alter system set fsync = off",
        "alter system set full_page_writes = off",
        "select pg_reload_conf()",
    ] {
        sqlx::raw_sql(statement)
            .execute(&mut postgres)
            .await
            .expect("Postgres executes it");
    }
    own
}

/// Runs a statement that is about databases rather than in one.
async fn execute(statement: &str) {
    let mut postgres = PgConnection::connect(&CLUSTER.url_of("postgres"))
        .await
        .expect("a connection");
    sqlx::raw_sql(AssertSqlSafe(statement.to_owned()))
        .execute(&mut postgres)
        .await
        .expect("Postgres executes it");
}
