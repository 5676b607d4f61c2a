//! Standings of tournaments by a recount of their matches, against those that the server keeps.

use super::app::TestApp;
use super::tournament_steps::standings;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use tochki_protocol::{TournamentId, TournamentScore, TournamentStandings};
use tochki_rules::{GameKind, Seat};
use tochki_tournaments::arena::{Outcome, Played, Rules, Sheet};
use tochki_tournaments::{Bye, Game, Points, swiss};

/// Returns the scores by a fold over all matches of the arena, and checks that none is without its pairing.
pub(crate) async fn recount(app: &TestApp, id: TournamentId) -> BTreeMap<i64, u32> {
    let rules = Rules {
        game: GameKind::Dots,
        streaks: true,
        berserk: false,
    };
    let rows: Vec<(i64, i64, i16, String, i64, bool)> = sqlx::query_as(
        "select seat1, seat2, winner, reason, (select count(*) / 2 from match_events e where e.match_id = m.id and e.kind = 'moved'),
             exists (select from tournament_pairings p where p.match_id = m.id)
         from matches m where tournament_id = $1 and finished_at is not null order by id",
    )
    .bind(id.0)
    .fetch_all(&app.db)
    .await
    .unwrap();
    let mut sheets: BTreeMap<i64, Sheet> = BTreeMap::new();
    for (seat1, seat2, winner, reason, moves, paired) in rows {
        assert!(paired);
        for (player, seat) in [(seat1, 1), (seat2, 2)] {
            let played = Played {
                outcome: match winner {
                    0 => Outcome::Draw,
                    winner if winner == seat => Outcome::Win,
                    _ => Outcome::Loss,
                },
                moves: u32::try_from(moves).unwrap(),
                forfeit: reason == "forfeit",
                berserk: false,
                opponent_rating: 1600,
            };
            sheets.entry(player).or_default().add(rules, played);
        }
    }
    sheets
        .into_iter()
        .map(|(player, sheet)| (player, sheet.score()))
        .collect()
}

#[track_caller]
pub(crate) fn assert_scores(standings: &TournamentStandings, counted: &BTreeMap<i64, u32>) {
    for row in &standings.rows {
        let counted = counted.get(&row.player.id.0).copied().unwrap_or_default();
        assert_eq!(row.score, counted, "{}", row.player.name);
    }
    assert!(standings.rows.is_sorted_by_key(|row| Reverse(row.score)));
}

/// The standings of rounds by a recount: the games from the matches themselves, the byes from the rounds.
async fn recount_rounds(app: &TestApp, id: TournamentId) -> Vec<(i64, TournamentScore, Vec<u32>)> {
    let numbers: Vec<(i64,)> = sqlx::query_as(
        "select player_id from tournament_entrants where tournament_id = $1 order by number",
    )
    .bind(id.0)
    .fetch_all(&app.db)
    .await
    .unwrap();
    let place: BTreeMap<i64, usize> = (0..).zip(&numbers).map(|(at, one)| (one.0, at)).collect();
    let rows: Vec<(i64, i64, i16, String, i32)> = sqlx::query_as(
        "select m.seat1, m.seat2, m.winner, m.reason, p.round from matches m join tournament_pairings p on p.match_id = m.id
         where m.tournament_id = $1 and m.finished_at is not null order by m.id",
    )
    .bind(id.0)
    .fetch_all(&app.db)
    .await
    .unwrap();
    let games: Vec<_> = rows
        .into_iter()
        .map(|(seat1, seat2, winner, reason, round)| Game {
            players: [place[&seat1], place[&seat2]],
            winner: match winner {
                1 => Some(Seat::First),
                2 => Some(Seat::Second),
                _ => None,
            },
            round: round.cast_unsigned(),
            forfeit: reason == "forfeit",
            score: [0, 0],
        })
        .collect();
    let rows: Vec<(i32, i32, String)> = sqlx::query_as(
        "select first, round, bye from tournament_pairings where tournament_id = $1 and second is null",
    )
    .bind(id.0)
    .fetch_all(&app.db)
    .await
    .unwrap();
    let byes: Vec<_> = rows
        .into_iter()
        .map(|(player, round, kind)| Bye {
            player: usize::try_from(player).unwrap(),
            round: round.cast_unsigned(),
            points: match &*kind {
                "pairing" => Points::ONE,
                "requested" | "late" => Points::HALF,
                _ => Points::ZERO,
            },
        })
        .collect();
    swiss::standings(GameKind::Dots, numbers.len(), &games, &byes)
        .into_iter()
        .map(|row| {
            let score = TournamentScore::of_halves(row.points.halves());
            let values = row.tie_breaks.iter().map(|value| value.quarters());
            (numbers[row.player].0, score, values.collect())
        })
        .collect()
}

/// Checks the standings of rounds, and the scores that are kept beside the entrants, against a recount.
pub(crate) async fn assert_recounted(app: &TestApp, id: TournamentId) {
    let told: Vec<_> = standings(app, id)
        .await
        .rows
        .iter()
        .map(|row| {
            let values = row.tie_breaks.iter().map(|value| value.quarters());
            (row.player.id.0, row.score, values.collect::<Vec<_>>())
        })
        .collect();
    let counted = recount_rounds(app, id).await;
    assert_eq!(told, counted);
    // What is kept beside the entrants is the same.
    let stored: Vec<(i64, i32)> =
        sqlx::query_as("select player_id, score from tournament_entrants where tournament_id = $1")
            .bind(id.0)
            .fetch_all(&app.db)
            .await
            .unwrap();
    for (player, halves) in stored {
        let score = counted.iter().find(|row| row.0 == player).unwrap().1;
        assert_eq!(score, TournamentScore::of_halves(halves.cast_unsigned()));
    }
}
