//! The results of an arena as JSON, which `tochki standings` reads: so anybody can count them again. Some of the games at a time are in
//! memory, since a large arena has tens of thousands.

use super::db::StoredTournament;
use super::db::arena_games::{self, ArenaGame, ArenaPlayer};
use crate::db::Db;
use crate::db::terms::StoredTerms;
use crate::{Error, WithSubject as _};
use bytes::Bytes;
use futures::stream::{self, BoxStream, StreamExt as _};
use serde_json::json;
use std::collections::HashMap;
use std::sync::Arc;
use tochki_protocol::TournamentId;

/// The part of the file that comes next.
enum Part {
    /// The tournament and its players.
    Head(String),
    /// The games after the one with this number, and what separates them from those before.
    Games { after: i64, separator: &'static str },
    /// Nothing.
    End,
}

/// Writes the record of an arena as one line, in pieces.
pub(super) async fn pieces(
    db: &Db,
    stored: &StoredTournament,
) -> Result<BoxStream<'static, Result<Bytes, Error>>, Error> {
    let id = stored.tournament.id;
    let players = arena_games::players(db, id).await?;
    let numbers = players.iter().map(|player| player.number);
    let places: Arc<HashMap<i32, usize>> = Arc::new(numbers.zip(0..).collect());
    let first = Part::Head(head(stored, &players)?);
    let db = db.clone();
    let pieces = stream::try_unfold(first, move |part| {
        let (db, places) = (db.clone(), places.clone());
        async move { write(&db, id, &places, part).await.with_subject(id) }
    });
    Ok(pieces.boxed())
}

async fn write(
    db: &Db,
    id: TournamentId,
    places: &HashMap<i32, usize>,
    part: Part,
) -> Result<Option<(Bytes, Part)>, Error> {
    Ok(match part {
        Part::Head(head) => {
            let games = Part::Games {
                after: 0,
                separator: "",
            };
            Some((Bytes::from(head), games))
        }
        Part::Games { after, separator } => {
            let games = arena_games::after(db, id, after).await?;
            match games.last() {
                None => Some((Bytes::from_static(b"]}\n"), Part::End)),
                Some(last) => {
                    let next = Part::Games {
                        after: last.id,
                        separator: ",",
                    };
                    let games: Vec<String> =
                        games.iter().map(|game| write_game(game, places)).collect();
                    let text = format!("{separator}{}", games.join(","));
                    Some((Bytes::from(text), next))
                }
            }
        }
        Part::End => None,
    })
}

/// Returns the record up to its games.
fn head(stored: &StoredTournament, players: &[ArenaPlayer]) -> Result<String, Error> {
    let tournament = &stored.tournament;
    let terms = StoredTerms::of(&stored.terms())?;
    let players = players.iter().map(|player| {
        json!({
            "name": player.name,
            "removed": player.removed,
        })
    });
    let record = json!({
        "format": tournament.format.as_str(),
        "name": tournament.name,
        "game": terms.game,
        "setup": terms.setup,
        "clock": terms.clock,
        "starts_at": tournament.starts_at,
        "minutes": tournament.minutes,
        "streaks": tournament.streaks,
        "berserk": tournament.berserk,
        "players": players.collect::<Vec<_>>(),
    });
    let mut text = record.to_string();
    // The games follow within the object.
    text.truncate(text.len() - 1);
    text.push_str(r#","games":["#);
    Ok(text)
}

fn write_game(game: &ArenaGame, places: &HashMap<i32, usize>) -> String {
    let [first, second] = game.numbers.map(|number| places.get(&number));
    let game = json!({
        "first": first,
        "second": second,
        "winner": game.winner,
        "moves": game.moves,
        "ratings": game.ratings,
        "forfeit": game.forfeit,
        "berserk": game.berserk,
    });
    game.to_string()
}
