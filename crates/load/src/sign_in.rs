//! Signing in while many register: the wait of players who have an account, each at an address of their own, behind a proxy
//! that tells the addresses.

use crate::Result;
use crate::cli::Cli;
use crate::client::Client;
use crate::measure::{Durations, Table};
use crate::tochki::TochkiServer;
use std::net::SocketAddr;
use std::time::{Duration, Instant};
use tokio::task::JoinSet;
use tokio::time::MissedTickBehavior;

/// The number of players to sign in, in turn.
const PLAYERS: u32 = 20;

/// The interval between the beginnings of sign-ins.
const SIGN_IN_PERIOD: Duration = Duration::from_millis(500);

/// The interval between the beginnings of registrations: 1,000 a minute.
const REGISTRATION_PERIOD: Duration = Duration::from_millis(60);

/// The number of addresses that registrations come from.
const ADDRESSES: u32 = 50;

const PASSWORD: &str = "correct horse battery";

pub(crate) async fn run(cli: &Cli) -> Result<()> {
    let mut table = Table::new(&[
        "sign-ins",
        "answered",
        "refused",
        "p50",
        "p99",
        "registrations answered",
        "refused",
        "p50",
        "p99",
    ]);
    let tochki = TochkiServer::start(&cli.server, &[("TRUST_PROXY", "1".to_owned())]).await?;
    let measured = async {
        for number in 0..PLAYERS {
            register(tochki.address, player(number), own_address(number)).await?;
        }
        let alone = Duration::from_secs(cli.seconds);
        Ok::<_, crate::Error>([
            measure(tochki.address, alone, false).await?,
            measure(tochki.address, 3 * alone, true).await?,
        ])
    }
    .await;
    tochki.stop().await;
    for row in measured? {
        table.row(&row);
    }
    table.print();
    Ok(())
}

fn player(number: u32) -> String {
    format!("Player-{number}")
}

/// Returns the address of a player who signs in.
fn own_address(number: u32) -> String {
    format!("10.8.0.{}", 1 + number)
}

async fn measure(address: SocketAddr, seconds: Duration, busy: bool) -> Result<Vec<String>> {
    let sign_ins = tokio::spawn(every(SIGN_IN_PERIOD, seconds, move |number| {
        let number = number % PLAYERS;
        sign_in(address, player(number), own_address(number))
    }));
    let period = if busy { REGISTRATION_PERIOD } else { seconds };
    let registrations = every(period, seconds, move |number| async move {
        if busy {
            let from = format!("10.9.0.{}", 1 + number % ADDRESSES);
            return register(address, format!("New-{number}"), from).await;
        }
        Ok(())
    });
    let mut new = registrations.await?;
    let mut known = sign_ins.await??;
    let name = if busy {
        "beside 1,000 registrations a minute"
    } else {
        "alone"
    };
    let mut row = vec![name.to_owned()];
    row.extend(known.cells());
    if busy {
        row.extend(new.cells());
    } else {
        row.extend(vec![String::new(); 4]);
    }
    Ok(row)
}

/// The numbers and times of answers.
#[derive(Default)]
struct Answers {
    took: Durations,
    refused: usize,
    /// The first refusal, in words.
    why: Option<String>,
}

impl Answers {
    fn cells(&mut self) -> [String; 4] {
        if let Some(why) = &self.why {
            eprintln!("refused, at first: {why}");
        }
        [
            self.took.count().to_string(),
            self.refused.to_string(),
            self.took.percentile(50),
            self.took.percentile(99),
        ]
    }
}

/// Begins a request in each `period`, whether the ones before are answered or not, and waits for all answers.
async fn every<F>(
    period: Duration,
    seconds: Duration,
    request: impl Fn(u32) -> F,
) -> Result<Answers>
where
    F: Future<Output = Result<()>> + Send + 'static,
{
    let mut interval = tokio::time::interval(period);
    interval.set_missed_tick_behavior(MissedTickBehavior::Burst);
    let mut requests = JoinSet::new();
    for number in 0..seconds.div_duration_f64(period) as u32 {
        interval.tick().await;
        let request = request(number);
        requests.spawn(async move {
            let begun = Instant::now();
            (request.await, begun.elapsed())
        });
    }
    let mut answers = Answers::default();
    while let Some(answer) = requests.join_next().await {
        match answer? {
            (Ok(()), took) => answers.took.add(took),
            (Err(why), _) => {
                answers.refused += 1;
                answers.why.get_or_insert(why.to_string());
            }
        }
    }
    Ok(answers)
}

async fn register(address: SocketAddr, name: String, from: String) -> Result<()> {
    post(address, "/api/register", &name, &from).await
}

/// Signs a player in from a browser that is not known.
async fn sign_in(address: SocketAddr, name: String, from: String) -> Result<()> {
    post(address, "/api/login", &name, &from).await
}

async fn post(address: SocketAddr, path: &str, name: &str, from: &str) -> Result<()> {
    let client = Client::connect(address).await?;
    let form = [("name", name), ("password", PASSWORD)];
    let mut client = client.with_header("x-forwarded-for", from);
    client.post(path, &form).await?.ok().map(drop)
}
