//! The Postgres behind all tests of this process, and a fresh database in it for each.

use own_postgres::OwnPostgres;
use sqlx::postgres::{PgConnectOptions, PgPool, PgPoolOptions};
use sqlx::{AssertSqlSafe, Connection as _, PgConnection};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, mpsc};
use tochki_server::{db, puzzles};

/// The database of one test, which is dropped with the last clone, because the databases of a whole run would take 5 GB.
#[derive(Clone, Debug)]
pub(crate) struct Database {
    url: String,
    name: Arc<DroppedWithValue>,
}

impl Database {
    /// Makes a new database with the schema, as if the migrations had run just now: a copy takes half the time.
    pub(crate) async fn fresh() -> Self {
        // As files, which takes half of what a copy through the log of Postgres does.
        let database = Self::create(&format!("template {} strategy file_copy", *TEMPLATE)).await;
        let mut connection = PgConnection::connect_with(&database.options())
            .await
            .expect("a connection");
        sqlx::raw_sql(
            "update heartbeat set beat_at = now(); update readiness set checked_at = now();
             update house_bot_lease set held_until = now()",
        )
        .execute(&mut connection)
        .await
        .expect("the rows that the migrations insert with the time");
        connection.close().await.expect("a connection");
        database
    }

    /// Makes a new database without a schema.
    pub(crate) async fn empty() -> Self {
        Self::create("").await
    }

    async fn create(options: &str) -> Self {
        let name = format!("t_{:016x}", rand::random::<u64>());
        execute(&format!("create database {name} {options}")).await;
        Self {
            url: CLUSTER.url_of(&name),
            name: Arc::new(DroppedWithValue(name)),
        }
    }

    /// Returns the address of the database, as in `DATABASE_URL`.
    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// Returns the same database behind another address.
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

    /// Opens a few connections for the test itself.
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

/// The names of unused databases, to the thread that drops them. Connections that a test's server still has are ended.
static UNUSED: LazyLock<mpsc::Sender<String>> = LazyLock::new(|| {
    let (sender, names) = mpsc::channel::<String>();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .expect("a runtime");
        for name in names {
            runtime.block_on(execute(&format!(
                "drop database if exists {name} with (force)"
            )));
        }
    });
    sender
});

/// A Postgres server, and the parts of its databases' addresses.
struct Cluster {
    /// The URL before the name of the database, and the rest after it.
    before: String,
    after: String,
    /// Our own Postgres, unless `DATABASE_URL` names another one. It ends with this process, however that ends.
    _own: Option<OwnPostgres>,
}

static CLUSTER: LazyLock<Cluster> = LazyLock::new(|| on_own_runtime(Cluster::start));

/// The name of a database with the schema, to be copied.
static TEMPLATE: LazyLock<String> = LazyLock::new(|| on_own_runtime(make_template));

/// Runs work on a thread of its own, because the runtime of the first test ends with that test.
fn on_own_runtime<T: Send, F: Future<Output = T>>(work: impl FnOnce() -> F + Send) -> T {
    let run = || {
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        runtime.block_on(work())
    };
    std::thread::scope(|scope| scope.spawn(run).join()).expect("Postgres starts")
}

/// Makes a template that stays, with a name for these migrations and puzzles, so that only the first of several runs makes it.
async fn make_template() -> String {
    let mut hasher = DefaultHasher::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("migrations");
    let files = std::fs::read_dir(folder).expect("the migrations");
    let mut paths: Vec<_> = files.map(|file| file.expect("a file").path()).collect();
    paths.sort();
    for path in paths {
        std::fs::read(path).expect("a migration").hash(&mut hasher);
    }
    tochki_puzzles::SEED.hash(&mut hasher);
    let name = format!("template_{:016x}", hasher.finish());
    let mut postgres = PgConnection::connect(&CLUSTER.url_of("postgres"))
        .await
        .expect("a connection");
    let is_there: bool =
        sqlx::query_scalar("select exists (select from pg_database where datname = $1)")
            .bind(&name)
            .fetch_one(&mut postgres)
            .await
            .expect("an answer");
    if !is_there {
        let database = Database::empty().await;
        let timeouts = db::Timeouts::default();
        let migrated = db::open(database.options(), 1, timeouts).await;
        let migrated = migrated.expect("the migrations run");
        // A server would store them in each copy.
        let seeded = puzzles::add(&migrated, tochki_puzzles::seed(), None).await;
        seeded.expect("the puzzles are stored");
        migrated.close().await;
        // Another run may have been faster.
        let rename = format!("alter database {} rename to {name}", database.name.0);
        let renamed = sqlx::raw_sql(AssertSqlSafe(rename)).execute(&mut postgres);
        if let Err(error) = renamed.await {
            println!("{name}: {error}");
        }
    }
    name
}

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
    let folder = std::env::var_os("TEST_CLUSTER_DIR").map_or_else(
        || Path::new(env!("CARGO_TARGET_TMPDIR")).join("server"),
        PathBuf::from,
    );
    let own = OwnPostgres::start(&folder).await.expect("Postgres starts");
    let mut postgres = PgConnection::connect_with(&own.options().database("postgres"))
        .await
        .expect("a connection");
    // Tests do not need durability against power loss, and killing a server does not depend on it. Several run at once, some of
    // them with several instances.
    for statement in [
        "alter system set fsync = off",
        "alter system set full_page_writes = off",
        "alter system set max_connections = 500",
    ] {
        sqlx::raw_sql(statement)
            .execute(&mut postgres)
            .await
            .expect("Postgres executes it");
    }
    drop(postgres);
    // It reads the number of connections when it starts.
    own.stop().await;
    OwnPostgres::start(&folder)
        .await
        .expect("Postgres starts again")
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
