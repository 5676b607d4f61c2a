//! A bot that accepts every challenge and draws its moves: `random_bot URL TOKEN`.

use rand::seq::IteratorRandom as _;
use tochki_client::protocol::{MatchId, PersonalEvent, PlayerId, Snapshot, Status};
use tochki_client::rules::{GameKind, Position, Seat};
use tochki_client::{Client, Error, MatchUpdate};

#[tokio::main]
async fn main() -> Result<(), Error> {
    let argument = |place| std::env::args().nth(place).expect("URL and token");
    run(Client::new(&argument(1), &argument(2))?).await
}

/// Waits for challenges in all games, and plays one match after the other.
pub(crate) async fn run(client: Client) -> Result<(), Error> {
    let me = client.whoami().await?.expect("an account").id;
    let mut events = client.personal_events(GameKind::ALL);
    loop {
        let (challenges, started) = match events.next().await? {
            PersonalEvent::Snapshot(now) => (now.challenges, now.matches.first().map(|m| m.id)),
            PersonalEvent::Challenged(challenge) => (vec![challenge], None),
            PersonalEvent::MatchStarted(started) => (vec![], Some(started.match_id)),
            _ => continue,
        };
        for challenge in challenges {
            client.answer_challenge(challenge.id, true).await.ok();
        }
        if let Some(id) = started {
            play(&client, id, me).await?;
        }
    }
}

/// Plays a match to its end.
async fn play(client: &Client, id: MatchId, me: PlayerId) -> Result<(), Error> {
    let mut events = client.match_events(id, 0);
    loop {
        let now = client.snapshot(id).await?;
        let mover = now.to_move.unwrap_or(Seat::First);
        if now.status == Status::Finished {
            return Ok(());
        } else if now.players[mover.index()].id == me {
            let mv = random_move(&now).expect("a legal move");
            client.make_move(id, &mv, Some(now.version)).await.ok();
        }
        // Until something has happened that the snapshot does not have.
        while events.version() <= now.version {
            if let MatchUpdate::Snapshot(_) = events.next().await? {
                break;
            }
        }
    }
}

fn random_move(now: &Snapshot) -> Option<String> {
    let mut position = Position::new(&now.setup);
    for mv in &now.moves {
        position.play(position.parse_move(mv).ok()?).ok()?;
    }
    let points = (0..2500).map(|number| format!("{},{}", number % 50, number / 50));
    let moves = points.flat_map(|point| ["", "h:", "v:"].map(|line| format!("{line}{point}")));
    let can_play = |mv| position.clone().play(mv).is_ok();
    let legal = moves.filter(|mv| position.parse_move(mv).is_ok_and(can_play));
    legal.choose(&mut rand::rng())
}
