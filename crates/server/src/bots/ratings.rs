//! The ratings of the house bots, which play people unrated: the differences are those of the ladder of levels, and one offset for
//! each game is fitted to the matches of rated people with them.
//!
//! The fit is due every [`limits::HOUSE_BOT_FIT_INTERVAL`], by a row in the database, which the instance that fits it locks. It is
//! an ordinary rating, so that every list and every page shows it. A rated match with another bot changes it as any other, until the
//! next fit.

use crate::Error;
use crate::bots::db;
use crate::bots::db::ratings::BotMatch;
use crate::db::Db;
use tochki_protocol::limits::{self, LEVELS};
use tochki_rules::GameKind;

/// The number of levels.
const LEVELS_LEN: usize = (*LEVELS.end() - *LEVELS.start() + 1) as usize;

/// Bounds of the rating of level 2: a few hundred games, all won or all lost, say no more.
const LEVEL_2_RANGE: [f64; 2] = [0.0, 3000.0];

/// Returns what each level from 2 on scores against the one below, in per cent, as measured (`docs/engine.md`). Level 8 of Dots won
/// 8 of 8 games against level 7, which are too few for more than 95 %.
const fn ladder(game: GameKind) -> [f64; LEVELS_LEN - 1] {
    match game {
        GameKind::Dots => [79.0, 76.0, 75.0, 84.0, 65.0, 74.0, 95.0],
        GameKind::Boxes => [78.0, 78.0, 78.0, 82.0, 79.0, 80.0, 83.0],
        GameKind::Gomoku => [72.0, 77.0, 69.0, 73.0, 80.0, 77.0, 65.0],
        GameKind::Reversi => [86.0, 79.0, 80.0, 89.0, 88.0, 90.0, 86.0],
    }
}

/// Returns the rating of each level above that of level 2.
fn differences(game: GameKind) -> [f64; LEVELS_LEN] {
    let mut above_first = [0.0; LEVELS_LEN];
    for (place, score) in ladder(game).into_iter().enumerate() {
        above_first[place + 1] = above_first[place] + 400.0 * (score / (100.0 - score)).log10();
    }
    above_first.map(|rating| rating - above_first[1])
}

/// Returns the rating of level 2 under which the bots score in these matches as many points as they did, by the formula of Elo.
fn fit(game: GameKind, matches: &[BotMatch]) -> f64 {
    if matches.len() < limits::HOUSE_BOT_FIT_MATCHES {
        return limits::HOUSE_BOT_LEVEL_2_RATING;
    }
    let differences = differences(game);
    let scored: f64 = matches.iter().map(|played| played.score).sum();
    let expected = |level_2: f64| -> f64 {
        let of_one = |played: &BotMatch| {
            let bot = level_2 + differences[usize::from(played.level - *LEVELS.start())];
            1.0 / (1.0 + 10_f64.powf((played.rating - bot) / 400.0))
        };
        matches.iter().map(of_one).sum()
    };
    // It grows with the rating.
    let [mut low, mut high] = LEVEL_2_RANGE;
    while high - low > 0.01 {
        let middle = f64::midpoint(low, high);
        if expected(middle) < scored {
            low = middle;
        } else {
            high = middle;
        }
    }
    f64::midpoint(low, high)
}

/// Fits the ratings of the house bots of every game for which that is due, or for which a bot has no rating.
pub(crate) async fn fit_due(db: &Db) -> Result<(), Error> {
    for &game in GameKind::ALL {
        let mut tx = crate::db::begin(db).await?;
        if !db::ratings::lock_due(&mut tx, game).await? {
            tx.rollback().await?;
            continue;
        }
        let matches = db::ratings::matches(&mut tx, game).await?;
        let level_2 = fit(game, &matches);
        for (level, difference) in LEVELS.zip(differences(game)) {
            // One by one, because the end of a rated match locks the ratings of its players in its own order.
            db::ratings::set(db, game, level, level_2 + difference).await?;
        }
        db::ratings::note_fitted(&mut tx, game, level_2, matches.len()).await?;
        tx.commit().await?;
        tracing::info!(
            game = game.id(),
            level_2,
            matches = matches.len(),
            "rated the house bots"
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn assert_near(rating: f64, expected: f64) {
        assert!((rating - expected).abs() < 0.1, "{rating}, not {expected}");
    }

    #[test]
    fn each_level_is_above_the_one_below() {
        for &game in GameKind::ALL {
            let differences = differences(game);
            assert!(differences.is_sorted(), "{game}");
            assert_near(differences[1], 0.0);
            // 79 % is 230 points.
            if game == GameKind::Dots {
                assert_near(differences[0], -230.2);
            }
        }
    }

    #[test]
    fn few_matches_say_nothing() {
        let lost = BotMatch {
            level: 8,
            rating: 1600.0,
            score: 0.0,
        };
        let few = vec![lost; limits::HOUSE_BOT_FIT_MATCHES - 1];
        assert_near(fit(GameKind::Dots, &few), limits::HOUSE_BOT_LEVEL_2_RATING);
        let enough = vec![lost; limits::HOUSE_BOT_FIT_MATCHES];
        assert!(fit(GameKind::Dots, &enough) < 1.0, "at the bound");
    }

    #[test]
    fn the_fit_finds_the_rating_that_the_matches_were_played_with() {
        for &game in GameKind::ALL {
            let (level_2, differences) = (1130.0, differences(game));
            let expected = |(level, rating): (u8, f64)| {
                let bot: f64 = level_2 + differences[usize::from(level - 1)];
                let score = 1.0 / (1.0 + 10_f64.powf((rating - bot) / 400.0));
                BotMatch {
                    level,
                    rating,
                    score,
                }
            };
            let ratings = [700.0, 1100.0, 1500.0, 1900.0];
            let pairs = LEVELS.flat_map(|level| ratings.map(|rating| (level, rating)));
            let played: Vec<_> = pairs
                .cycle()
                .take(limits::HOUSE_BOT_FIT_MATCHES)
                .map(expected)
                .collect();
            assert_near(fit(game, &played), level_2);
        }
    }
}
