//! What an operator may choose, each with a default that suits one machine. They come from the command line or from
//! environment variables of the same name in capitals.

use clap::Args;
use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::path::PathBuf;

/// The settings of `tochki serve`.
#[derive(Args, Clone, Debug)]
pub struct Settings {
    /// Address and port to listen on.
    #[arg(long, env = "LISTEN", default_value = "127.0.0.1:3000")]
    pub listen: SocketAddr,

    /// A Postgres to use. Without it the server starts one of its own in the data folder.
    #[arg(long, env = "DATABASE_URL", hide_env_values = true)]
    pub database_url: Option<String>,

    /// Where the server's own Postgres keeps its data.
    #[arg(long, env = "DATA_DIR")]
    pub data_dir: Option<PathBuf>,

    /// The address players type, such as <https://tochki.example>. With https, cookies are Secure.
    /// Without it the server goes by the Host header.
    #[arg(long, env = "PUBLIC_ORIGIN")]
    pub public_origin: Option<String>,

    /// Trust the last address in X-Forwarded-For: only behind a proxy of one's own.
    #[arg(long, env = "TRUST_PROXY", default_value_t = false)]
    pub trust_proxy: bool,

    /// Connections to Postgres.
    #[arg(long, env = "DATABASE_CONNECTIONS", default_value_t = 16)]
    pub database_connections: u32,

    /// Sign-in attempts on one name in a row; then one more every ten seconds.
    #[arg(long, env = "SIGN_IN_BY_NAME", default_value = "10")]
    pub sign_in_by_name: NonZeroU32,

    /// Sign-in attempts from one address in a row; then one more every second.
    #[arg(long, env = "SIGN_IN_BY_ADDRESS", default_value = "100")]
    pub sign_in_by_address: NonZeroU32,

    /// Guests from one address in a row; then one more every minute.
    #[arg(long, env = "GUESTS_BY_ADDRESS", default_value = "30")]
    pub guests_by_address: NonZeroU32,

    /// Open tables of one player.
    #[arg(long, env = "TABLES_PER_PLAYER", default_value = "1")]
    pub tables_per_player: NonZeroU32,

    /// Open tables in all.
    #[arg(long, env = "TABLES_IN_ALL", default_value = "500")]
    pub tables_in_all: NonZeroU32,

    /// Requests to /api, and streams opened, from one address in a row; then a tenth of that every second.
    #[arg(long, env = "REQUESTS_BY_ADDRESS", default_value = "3000")]
    pub requests_by_address: NonZeroU32,

    /// The name of the account whose owner sees what players report, and can mute them and close accounts.
    #[arg(long, env = "OPERATOR")]
    pub operator: Option<String>,
}

impl Settings {
    /// Whether players come over https.
    pub fn secure(&self) -> bool {
        self.public_origin
            .as_deref()
            .is_some_and(|origin| origin.starts_with("https://"))
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from(([127, 0, 0, 1], 3000)),
            database_url: None,
            data_dir: None,
            public_origin: None,
            trust_proxy: false,
            database_connections: 16,
            sign_in_by_name: NonZeroU32::new(10).expect("ten is not zero"),
            sign_in_by_address: NonZeroU32::new(100).expect("a hundred is not zero"),
            guests_by_address: NonZeroU32::new(30).expect("thirty is not zero"),
            tables_per_player: NonZeroU32::MIN,
            tables_in_all: NonZeroU32::new(500).expect("five hundred is not zero"),
            requests_by_address: NonZeroU32::new(3000).expect("three thousand is not zero"),
            operator: None,
        }
    }
}
