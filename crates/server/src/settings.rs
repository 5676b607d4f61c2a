//! The settings of the server, from the command line or from environment variables of the same name in capitals.

use clap::Args;
use std::net::{Ipv4Addr, SocketAddr, SocketAddrV4};
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Duration;
use tochki_protocol::limits;

/// How log lines are written.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogFormat {
    /// For people.
    Text,
    /// One JSON object a line.
    Json,
}

impl std::fmt::Display for LogFormat {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Text => "text",
            Self::Json => "json",
        })
    }
}

/// The cost of hashing a new password. A stored hash keeps the cost that it was made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HashingCost {
    /// 19 MiB and two passes, as OWASP recommends for Argon2id.
    Recommended,
    /// The least that Argon2id allows, for tests.
    Least,
}

/// A number of proxies. `true` is one and `false` none.
fn hops(text: &str) -> Result<u8, String> {
    match text {
        "true" => Ok(1),
        "false" => Ok(0),
        number => number
            .parse()
            .map_err(|_| "a number of proxies, true or false is expected".to_owned()),
    }
}

/// The address of a NATS server, which is spoken to without TLS.
fn nats_url(text: &str) -> Result<String, String> {
    if text.starts_with("nats://") {
        Ok(text.to_owned())
    } else {
        Err("an address like nats://10.0.0.5:4222 is expected".to_owned())
    }
}

/// The address of a server that takes mail.
fn smtp_url(text: &str) -> Result<String, String> {
    let read = lettre::AsyncSmtpTransport::<lettre::Tokio1Executor>::from_url(text);
    // Without the text, which may have a password.
    read.map(|_| text.to_owned()).map_err(|_| {
        "an address like smtps://user:password@mail.example:465 is expected".to_owned()
    })
}

/// The sender of mails.
fn mailbox(text: &str) -> Result<String, String> {
    let read = text.parse::<lettre::message::Mailbox>();
    read.map(|_| text.to_owned())
        .map_err(|_| "an address like Tochki <noreply@tochki.example> is expected".to_owned())
}

/// A mail address or a URL, as push services want it.
fn contact(text: &str) -> Result<String, String> {
    let is_url = ["https://", "mailto:"]
        .iter()
        .any(|start| text.starts_with(start));
    if is_url {
        return Ok(text.to_owned());
    }
    match text.split_once('@') {
        Some((name, host)) if !name.is_empty() && host.contains('.') => {
            Ok(format!("mailto:{text}"))
        }
        _ => Err("a mail address or an address like https://tochki.example is expected".to_owned()),
    }
}

/// `on` or `off`.
fn on_or_off(text: &str) -> Result<bool, String> {
    match text {
        "on" => Ok(true),
        "off" => Ok(false),
        _ => Err("on or off is expected".to_owned()),
    }
}

/// The settings of `tochki serve`.
#[derive(Args, Clone, Debug)]
pub struct Settings {
    /// Address and port to listen on.
    #[arg(long, env = "LISTEN", default_value_t = Self::DEFAULT.listen)]
    pub listen: SocketAddr,

    /// The Postgres database to use. Without it the server starts its own Postgres.
    #[arg(long, env = "DATABASE_URL", hide_env_values = true)]
    pub database_url: Option<String>,

    /// The NATS server by which the instances tell each other of changes, such as <nats://10.0.0.5:4222>. Without it they do
    /// so by Postgres.
    #[arg(long, env = "NATS_URL", hide_env_values = true, value_parser = nats_url)]
    pub nats_url: Option<String>,

    /// How often changes by other instances are looked for although nobody has told of any. Tests change it.
    #[arg(skip = Self::DEFAULT.poll_interval)]
    pub poll_interval: Duration,

    /// Poll interval of ended sessions.
    #[arg(skip = Self::DEFAULT.session_poll_interval)]
    pub session_poll_interval: Duration,

    /// The data directory of the server's own Postgres.
    #[arg(long, env = "DATA_DIR")]
    pub data_dir: Option<PathBuf>,

    /// The public origin, such as <https://tochki.example>. With https, cookies are Secure.
    /// Without it the Host header of each request is used.
    #[arg(long, env = "PUBLIC_ORIGIN")]
    pub public_origin: Option<String>,

    /// The server that takes mail, such as <smtps://user:password@mail.example:465>, or with `?tls=required` behind an address
    /// `smtp://` for STARTTLS. Without it, and without `PUBLIC_ORIGIN` for the links, no mail is sent, and addresses cannot be set.
    #[arg(long, env = "SMTP_URL", hide_env_values = true, value_parser = smtp_url)]
    pub smtp_url: Option<String>,

    /// The sender of mails. By default `noreply` at the host of `PUBLIC_ORIGIN`.
    #[arg(long, env = "MAIL_FROM", value_parser = mailbox)]
    pub mail_from: Option<String>,

    /// The site of the release before, whose islands and engines are still served. By default the folder of the site with
    /// `.previous` behind its name.
    #[arg(long, env = "PREVIOUS_SITE")]
    pub previous_site: Option<PathBuf>,

    /// How push services reach the operator: a mail address or a URL. Without it there are no push notifications.
    #[arg(long, env = "CONTACT", value_parser = contact)]
    pub contact: Option<String>,

    /// Hosts of further push services, with commas between, besides those of Chrome, Firefox, Edge and Safari. A host below one of
    /// them is one, too.
    #[arg(long, env = "PUSH_HOSTS", value_delimiter = ',')]
    pub push_hosts: Vec<String>,

    /// How long a push waits for the player to come by themselves. Tests shorten it.
    #[arg(skip = Self::DEFAULT.push_delay)]
    pub push_delay: Duration,

    /// The cost of hashing a new password. Only tests change it: neither an argument nor the environment does.
    #[arg(skip = Self::DEFAULT.hashing_cost)]
    pub hashing_cost: HashingCost,

    /// How often pushes that are due are looked for. Tests shorten it.
    #[arg(skip = Self::DEFAULT.push_poll_interval)]
    pub push_poll_interval: Duration,

    /// How long a push service may take to answer. Tests shorten it.
    #[arg(skip = Self::DEFAULT.push_timeout)]
    pub push_timeout: Duration,

    /// A folder of texts in the place of those of the program: files as in `locales/`, such as `cs.json`, with the changed
    /// texts alone.
    #[arg(long, env = "TEXTS")]
    pub texts: Option<PathBuf>,

    /// How many proxies of your own are before the server: so many addresses from the end of X-Forwarded-For is the client.
    #[arg(long, env = "TRUST_PROXY", default_value_t = Self::DEFAULT.trust_proxy, value_parser = hops)]
    pub trust_proxy: u8,

    /// The address and port of the metrics, as Prometheus reads them. Without it there are none.
    #[arg(long, env = "METRICS_ADDR")]
    pub metrics_addr: Option<SocketAddr>,

    /// Address and port of the line protocol, for native clients. Without it nothing listens.
    #[arg(long, env = "LINE_LISTEN")]
    pub line_listen: Option<SocketAddr>,

    /// The maximum number of players connected by the line protocol.
    #[arg(long, env = "LINE_MAX_PLAYERS", default_value_t = Self::DEFAULT.line_max_players)]
    pub line_max_players: NonZeroU32,

    /// The maximum number of games with players of the line protocol.
    #[arg(long, env = "LINE_MAX_GAMES", default_value_t = Self::DEFAULT.line_max_games)]
    pub line_max_games: NonZeroU32,

    /// After how long without a line a client of the line protocol is sent a ping. Tests shorten it.
    #[arg(skip = Self::DEFAULT.line_ping_after)]
    pub line_ping_after: Duration,

    /// How long it has for answering. Tests shorten it.
    #[arg(skip = Self::DEFAULT.line_pong_timeout)]
    pub line_pong_timeout: Duration,

    /// See [`limits::LINE_PROBE_TIMEOUT`].
    #[arg(skip = Self::DEFAULT.line_probe_timeout)]
    pub line_probe_timeout: Duration,

    /// How long a client of the line protocol may stay connected without logging in.
    #[arg(skip = Self::DEFAULT.line_login_timeout)]
    pub line_login_timeout: Duration,

    /// Whether event streams over HTTP/1.1 leave hyper once their heads are written, which saves memory: on or off.
    #[arg(long, env = "STREAM_TAKEOVER", default_value = "on", value_parser = on_or_off, action = clap::ArgAction::Set)]
    pub stream_takeover: bool,

    /// Whether games that have ended are packed, which the release before cannot read: on or off.
    #[arg(long, env = "PACK_GAMES", default_value = "off", value_parser = on_or_off, action = clap::ArgAction::Set)]
    pub pack_games: bool,

    /// Whether house bots wait in the waiting rooms, one for each game and level: on or off.
    #[arg(long, env = "HOUSE_BOTS", default_value = "off", value_parser = on_or_off, action = clap::ArgAction::Set)]
    pub house_bots: bool,

    /// The maximum number of games that the house bots play at once.
    #[arg(long, env = "HOUSE_BOT_GAMES", default_value_t = Self::DEFAULT.house_bot_games)]
    pub house_bot_games: NonZeroU32,

    /// The number of threads on which they think.
    #[arg(long, env = "HOUSE_BOT_THREADS", default_value_t = Self::DEFAULT.house_bot_threads)]
    pub house_bot_threads: NonZeroU32,

    /// The least time of a house bot for a move. Tests shorten it.
    #[arg(skip = Self::DEFAULT.house_bot_min_move_time)]
    pub house_bot_min_move_time: Duration,

    /// How log lines are written.
    #[arg(long, env = "LOG_FORMAT", value_enum, default_value_t = Self::DEFAULT.log_format)]
    pub log_format: LogFormat,

    /// The maximum number of open connections of one address. Not checked behind a proxy, which has one address.
    #[arg(long, env = "CONNECTIONS_BY_ADDRESS", default_value_t = Self::DEFAULT.connections_by_address)]
    pub connections_by_address: NonZeroU32,

    /// How long a client may take for the first bytes of a connection, and for the head of a request. Tests shorten it.
    #[arg(skip = Self::DEFAULT.head_timeout)]
    pub head_timeout: Duration,

    /// How long a client may take for the body of a request. Tests shorten it.
    #[arg(skip = Self::DEFAULT.body_timeout)]
    pub body_timeout: Duration,

    /// How long an answer of HTTP/2 waits for a client that takes nothing of it. Tests shorten it.
    #[arg(skip = Self::DEFAULT.stalled_response_timeout)]
    pub stalled_response_timeout: Duration,

    /// How long a connection of HTTP/2 stays open without a request. Tests shorten it.
    #[arg(skip = Self::DEFAULT.http2_idle_timeout)]
    pub http2_idle_timeout: Duration,

    /// The maximum number of open event streams of one session or token.
    #[arg(long, env = "STREAMS_BY_SESSION", default_value_t = Self::DEFAULT.streams_by_session)]
    pub streams_by_session: NonZeroU32,

    /// The maximum number of open event streams of one address.
    #[arg(long, env = "STREAMS_BY_ADDRESS", default_value_t = Self::DEFAULT.streams_by_address)]
    pub streams_by_address: NonZeroU32,

    /// The maximum number of connections to Postgres.
    #[arg(long, env = "DATABASE_CONNECTIONS", default_value_t = Self::DEFAULT.database_connections)]
    pub database_connections: u32,

    /// Burst of wrong passwords for one name from one address or browser; then one every ten seconds.
    #[arg(long, env = "SIGN_IN_BY_NAME", default_value_t = Self::DEFAULT.sign_in_by_name)]
    pub sign_in_by_name: NonZeroU32,

    /// Burst of sign-in attempts from one address; then one every second.
    #[arg(long, env = "SIGN_IN_BY_ADDRESS", default_value_t = Self::DEFAULT.sign_in_by_address)]
    pub sign_in_by_address: NonZeroU32,

    /// Burst of messages to the waiting rooms and to spectators from one address; then one every second. Players of a match
    /// write to each other without this limit.
    #[arg(long, env = "MESSAGES_BY_ADDRESS", default_value_t = Self::DEFAULT.messages_by_address)]
    pub messages_by_address: NonZeroU32,

    /// The maximum number of wrong passwords for one name in a day, from all addresses together.
    #[arg(long, env = "GUESSES_PER_DAY", default_value_t = Self::DEFAULT.guesses_per_day)]
    pub guesses_per_day: NonZeroU32,

    /// Burst of registrations from one address; then one every ten minutes.
    #[arg(long, env = "REGISTRATIONS_BY_ADDRESS", default_value_t = Self::DEFAULT.registrations_by_address)]
    pub registrations_by_address: NonZeroU32,

    /// Burst of new guests from one address; then one every minute.
    #[arg(long, env = "GUESTS_BY_ADDRESS", default_value_t = Self::DEFAULT.guests_by_address)]
    pub guests_by_address: NonZeroU32,

    /// The maximum number of open tables of one player.
    #[arg(long, env = "TABLES_PER_PLAYER", default_value_t = Self::DEFAULT.tables_per_player)]
    pub tables_per_player: NonZeroU32,

    /// The maximum number of all open tables whose creator is there.
    #[arg(long, env = "TABLES_IN_ALL", default_value_t = Self::DEFAULT.tables_in_all)]
    pub tables_in_all: NonZeroU32,

    /// Seconds that a declined player waits before asking the same player again.
    #[arg(long, env = "CHALLENGE_PAUSE", default_value_t = Self::DEFAULT.challenge_pause)]
    pub challenge_pause: u32,

    /// The maximum number of challenges that a player gets in a minute.
    #[arg(long, env = "CHALLENGES_PER_MINUTE", default_value_t = Self::DEFAULT.challenges_per_minute)]
    pub challenges_per_minute: NonZeroU32,

    /// The maximum number of challenges that a player gets from one other player in a minute.
    #[arg(long, env = "CHALLENGES_FROM_ONE", default_value_t = Self::DEFAULT.challenges_from_one)]
    pub challenges_from_one: NonZeroU32,

    /// The maximum number of running games with bots from one address.
    #[arg(long, env = "BOT_GAMES_BY_ADDRESS", default_value_t = Self::DEFAULT.bot_games_by_address)]
    pub bot_games_by_address: NonZeroU32,

    /// The maximum number of open tables from one address.
    #[arg(long, env = "TABLES_BY_ADDRESS", default_value_t = Self::DEFAULT.tables_by_address)]
    pub tables_by_address: NonZeroU32,

    /// The maximum number of players who are here at once; unlimited unless set.
    #[arg(long, env = "PLAYERS_IN_ALL")]
    pub players_in_all: Option<NonZeroU32>,

    /// The maximum number of running matches; unlimited unless set.
    #[arg(long, env = "MATCHES_IN_ALL")]
    pub matches_in_all: Option<NonZeroU32>,

    /// Burst of requests to /api and new streams from one address; then a tenth of it every second.
    #[arg(long, env = "REQUESTS_BY_ADDRESS", default_value_t = Self::DEFAULT.requests_by_address)]
    pub requests_by_address: NonZeroU32,

    /// The maximum number of requests of one address that are answered at once.
    #[arg(long, env = "REQUESTS_AT_ONCE_BY_ADDRESS", default_value_t = Self::DEFAULT.requests_at_once_by_address)]
    pub requests_at_once_by_address: NonZeroU32,

    /// Burst of pages and their files from one address; then a tenth of it every second.
    #[arg(long, env = "PAGES_BY_ADDRESS", default_value_t = Self::DEFAULT.pages_by_address)]
    pub pages_by_address: NonZeroU32,

    /// The number of matches in memory above which those that nobody uses are given up. Tests change it.
    #[arg(skip = Self::DEFAULT.matches_in_memory)]
    pub matches_in_memory: usize,

    /// Requests of one token in a second.
    #[arg(long, env = "REQUESTS_BY_TOKEN", default_value_t = Self::DEFAULT.requests_by_token)]
    pub requests_by_token: NonZeroU32,

    /// Moves and other commands that each player of a match may send to it in a second.
    #[arg(long, env = "MOVES_PER_SECOND", default_value_t = Self::DEFAULT.moves_per_second)]
    pub moves_per_second: NonZeroU32,

    /// Hours for which a sanction also holds for new names from the same address; 0 for none.
    #[arg(long, env = "SANCTION_HOURS", default_value_t = Self::DEFAULT.sanction_hours)]
    pub sanction_hours: u32,
}

impl Settings {
    /// The defaults, which suit a single machine.
    const DEFAULT: Self = Self {
        listen: SocketAddr::V4(SocketAddrV4::new(Ipv4Addr::LOCALHOST, 3000)),
        database_url: None,
        nats_url: None,
        poll_interval: limits::POLL_INTERVAL,
        session_poll_interval: limits::SESSION_POLL_INTERVAL,
        data_dir: None,
        public_origin: None,
        smtp_url: None,
        mail_from: None,
        previous_site: None,
        contact: None,
        push_hosts: Vec::new(),
        push_delay: limits::PUSH_DELAY,
        hashing_cost: HashingCost::Recommended,
        push_poll_interval: limits::PUSH_POLL_INTERVAL,
        push_timeout: limits::PUSH_TIMEOUT,
        texts: None,
        trust_proxy: 0,
        metrics_addr: None,
        line_listen: None,
        line_max_players: NonZeroU32::new(limits::LINE_MAX_PLAYERS).unwrap(),
        line_max_games: NonZeroU32::new(limits::LINE_MAX_GAMES).unwrap(),
        line_ping_after: limits::LINE_PING_AFTER,
        line_pong_timeout: limits::LINE_PONG_TIMEOUT,
        line_probe_timeout: limits::LINE_PROBE_TIMEOUT,
        line_login_timeout: limits::LINE_LOGIN_TIMEOUT,
        stream_takeover: true,
        pack_games: false,
        house_bots: false,
        house_bot_games: NonZeroU32::new(limits::HOUSE_BOT_GAMES).unwrap(),
        house_bot_threads: NonZeroU32::new(limits::HOUSE_BOT_THREADS).unwrap(),
        house_bot_min_move_time: limits::HOUSE_BOT_MIN_MOVE_TIME,
        log_format: LogFormat::Text,
        connections_by_address: NonZeroU32::new(limits::CONNECTIONS_BY_ADDRESS).unwrap(),
        head_timeout: limits::HEAD_TIMEOUT,
        body_timeout: limits::BODY_TIMEOUT,
        stalled_response_timeout: limits::STALLED_RESPONSE_TIMEOUT,
        http2_idle_timeout: limits::HTTP2_IDLE_TIMEOUT,
        streams_by_session: NonZeroU32::new(limits::STREAMS_BY_SESSION).unwrap(),
        streams_by_address: NonZeroU32::new(limits::STREAMS_BY_ADDRESS).unwrap(),
        database_connections: limits::DATABASE_CONNECTIONS,
        sign_in_by_name: NonZeroU32::new(limits::SIGN_IN_BY_NAME).unwrap(),
        sign_in_by_address: NonZeroU32::new(limits::SIGN_IN_BY_ADDRESS).unwrap(),
        messages_by_address: NonZeroU32::new(limits::MESSAGES_BY_ADDRESS).unwrap(),
        guesses_per_day: NonZeroU32::new(limits::GUESSES_PER_DAY).unwrap(),
        registrations_by_address: NonZeroU32::new(limits::REGISTRATIONS_BY_ADDRESS).unwrap(),
        guests_by_address: NonZeroU32::new(limits::GUESTS_BY_ADDRESS).unwrap(),
        tables_per_player: NonZeroU32::new(limits::TABLES_PER_PLAYER).unwrap(),
        tables_in_all: NonZeroU32::new(limits::TABLES_MAX).unwrap(),
        challenge_pause: limits::CHALLENGE_PAUSE.as_secs() as u32,
        challenges_per_minute: NonZeroU32::new(limits::CHALLENGES_PER_WINDOW).unwrap(),
        challenges_from_one: NonZeroU32::new(limits::CHALLENGES_PER_WINDOW_FROM_ONE).unwrap(),
        bot_games_by_address: NonZeroU32::new(limits::BOT_GAMES_BY_ADDRESS).unwrap(),
        tables_by_address: NonZeroU32::new(limits::TABLES_BY_ADDRESS).unwrap(),
        players_in_all: None,
        matches_in_all: None,
        requests_by_address: NonZeroU32::new(limits::REQUESTS_BY_ADDRESS).unwrap(),
        requests_at_once_by_address: NonZeroU32::new(limits::REQUESTS_AT_ONCE_BY_ADDRESS).unwrap(),
        pages_by_address: NonZeroU32::new(limits::PAGES_BY_ADDRESS).unwrap(),
        matches_in_memory: limits::MATCHES_IN_MEMORY,
        requests_by_token: NonZeroU32::new(limits::REQUESTS_BY_TOKEN).unwrap(),
        moves_per_second: NonZeroU32::new(limits::MOVES_PER_SECOND).unwrap(),
        sanction_hours: (limits::SANCTION_CARRY_OVER.as_secs() / 3600) as u32,
    };

    /// Returns whether the public origin is https.
    pub fn secure(&self) -> bool {
        self.public_origin
            .as_deref()
            .is_some_and(|origin| origin.starts_with("https://"))
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self::DEFAULT
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::FromArgMatches as _;

    #[test]
    fn nobody_can_set_the_cost_of_hashing_from_outside() {
        let command = Settings::augment_args(clap::Command::new("serve"));
        for argument in command.get_arguments() {
            let env = argument.get_env().unwrap_or_default().to_string_lossy();
            let named = [argument.get_id().as_str(), &env].map(str::to_lowercase);
            assert!(!named.iter().any(|name| name.contains("hash")), "{named:?}");
        }
        let matches = command.clone().try_get_matches_from(["serve"]).unwrap();
        let settings = Settings::from_arg_matches(&matches).unwrap();
        assert_eq!(settings.hashing_cost, HashingCost::Recommended);
        assert_eq!(Settings::default().hashing_cost, HashingCost::Recommended);
        let given = command.try_get_matches_from(["serve", "--hashing-cost=least"]);
        assert!(given.is_err());
    }
}
