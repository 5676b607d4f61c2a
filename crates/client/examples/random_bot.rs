//! A bot that accepts every challenge and draws its moves: `random_bot URL TOKEN`.

use tochki_client::protocol::{Challenge, MatchId, PersonalEvent, PlayerId, Status};
use tochki_client::rules::{GameKind, Position, Seat, Setup};
use tochki_client::{Client, MatchUpdate};

/// Any error; each of them ends the bot.
type Error = Box<dyn std::error::Error + Send + Sync>;

#[tokio::main]
async fn main() -> Result<(), Error> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, server, token] = &arguments[..] else {
        return Err("usage: random_bot URL TOKEN".into());
    };
    run(Client::new(server, token)?).await
}

/// Waits for challenges in all games, and plays one match after the other.
pub(crate) async fn run(client: Client) -> Result<(), Error> {
    let me = client.whoami().await?.ok_or("no account")?.id;
    let mut events = client.personal_events(GameKind::ALL);
    loop {
        match events.next().await? {
            PersonalEvent::Snapshot(now) => {
                for running in now.matches {
                    play(&client, running.id, me).await?;
                }
                for challenge in now.challenges {
                    accept(&client, &challenge, me).await;
                }
            }
            PersonalEvent::Challenged(challenge) => accept(&client, &challenge, me).await,
            PersonalEvent::MatchStarted(started) => play(&client, started.match_id, me).await?,
            _ => {}
        }
    }
}

async fn accept(client: &Client, challenge: &Challenge, me: PlayerId) {
    if challenge.to.id == me
        && let Err(error) = client.answer_challenge(challenge.id, true).await
    {
        eprintln!("challenge {}: {error}", challenge.id);
    }
}

/// Plays a match to its end.
async fn play(client: &Client, id: MatchId, me: PlayerId) -> Result<(), Error> {
    let mut events = client.match_events(id, 0);
    loop {
        let now = client.snapshot(id).await?;
        if now.status == Status::Finished {
            return Ok(());
        }
        let mover = now.to_move.unwrap_or(Seat::First);
        if now.players[mover.index()].id == me {
            let mv = random_move(now.setup, &now.moves).ok_or("there is no legal move")?;
            if let Err(error) = client.make_move(id, &mv, Some(now.version)).await {
                eprintln!("move {mv} in match {id}: {error}");
            }
        }
        // Until something has happened that the snapshot does not have.
        while events.version() <= now.version {
            if let MatchUpdate::Snapshot(_) = events.next().await? {
                break;
            }
        }
    }
}

/// Any legal move of a position.
fn random_move(setup: Setup, moves: &[String]) -> Option<String> {
    let mut position = Position::new(&setup);
    for mv in moves {
        position.play(position.parse_move(mv).ok()?).ok()?;
    }
    let points = (0..50_u8).flat_map(|x| (0..50_u8).map(move |y| (x, y)));
    let texts = points.flat_map(|(x, y)| {
        let square = format!("{}{}", char::from(b'a' + x % 26), y + 1);
        [
            format!("{x},{y}"),
            format!("h:{x},{y}"),
            format!("v:{x},{y}"),
            square,
        ]
    });
    let mut legal = texts.filter(|text| {
        let mv = position.parse_move(text);
        mv.is_ok_and(|mv| position.clone().play(mv).is_ok())
    });
    // The first of a few, so that a large board takes no longer than it must.
    let skipped = rand::random_range(0..20);
    let first = legal.next()?;
    Some(legal.take(skipped).last().unwrap_or(first))
}
