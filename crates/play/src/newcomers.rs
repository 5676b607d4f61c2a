//! Cap on rating gains against newcomers: [`NEWCOMER_GAIN_MAX`] in all, so that fresh accounts that lose on purpose cannot
//! boost a rating. The server decides which players are newcomers and which are established.
//!
//! Losses to newcomers lower the sum of gains, so that they can be won back. Below zero, gains against established players
//! raise it as well: otherwise one could lose to newcomers, climb back in honest games, and then win the same points from
//! newcomers once more.

use crate::{Rating, RatingChange, rate};
use tochki_rules::Seat;

/// How many points games against newcomers may give in all, besides what was lost to them.
pub const NEWCOMER_GAIN_MAX: f64 = 50.0;

/// A player before a rated match.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RatedPlayer {
    /// The rating.
    pub rating: Rating,
    /// Whether the player is established: then the opponent's gain is not cut.
    pub established: bool,
    /// The sum of what games against newcomers have given and taken.
    pub newcomer_sum: f64,
}

/// Effect of a rated match on a player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RatedResult {
    /// The rating.
    pub change: RatingChange,
    /// What is added to [`RatedPlayer::newcomer_sum`].
    pub newcomer_change: f64,
}

/// Both new ratings by [`rate`], with gains over newcomers cut to what the sum has left. Losses are never cut.
pub fn rate_players(players: [RatedPlayer; 2], winner: Option<Seat>) -> [RatedResult; 2] {
    let changes = rate(players.map(|player| player.rating), winner);
    Seat::BOTH.map(|seat| {
        let (player, opponent) = (players[seat.index()], players[seat.other().index()]);
        player.limited(changes[seat.index()], opponent.established)
    })
}

impl RatedPlayer {
    /// What is left of this change, against an opponent who is established or a newcomer.
    fn limited(self, mut change: RatingChange, opponent_is_established: bool) -> RatedResult {
        let difference = change.after.0 - change.before.0;
        let newcomer_change = if opponent_is_established {
            difference.clamp(0.0, (-self.newcomer_sum).max(0.0))
        } else {
            let left = (NEWCOMER_GAIN_MAX - self.newcomer_sum).max(0.0);
            if difference > left {
                change.capped = true;
                change.after = Rating(change.before.0 + left);
            }
            difference.min(left)
        };
        RatedResult {
            change,
            newcomer_change,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ESTABLISHED: RatedPlayer = RatedPlayer {
        rating: Rating(1600.0),
        established: true,
        newcomer_sum: 0.0,
    };
    const NEWCOMER: RatedPlayer = RatedPlayer {
        established: false,
        ..ESTABLISHED
    };

    const fn with_sum(player: RatedPlayer, newcomer_sum: f64) -> RatedPlayer {
        RatedPlayer {
            newcomer_sum,
            ..player
        }
    }

    /// Seat 1 wins: both new ratings, both changes of the sums, and whether the winner's gain was cut.
    #[track_caller]
    fn check(players: [RatedPlayer; 2], after: [f64; 2], sums: [f64; 2], is_capped: bool) {
        let results = rate_players(players, Some(Seat::First));
        for (result, (after, sum)) in results.iter().zip(after.into_iter().zip(sums)) {
            let [rating, change] = [result.change.after.0, result.newcomer_change];
            assert!((rating - after).abs() < 0.0005, "{rating}, not {after}");
            assert!((change - sum).abs() < 0.0005, "{change}, not {sum}");
        }
        assert_eq!(
            results.map(|result| result.change.capped),
            [is_capped, false]
        );
    }

    #[test]
    fn established_players_are_rated_by_elo_alone() {
        let full = with_sum(ESTABLISHED, NEWCOMER_GAIN_MAX);
        check([full, full], [1612.5, 1587.5], [0.0, 0.0], false);
        let club = [2165.0, 1647.0].map(|rating| RatedPlayer {
            rating: Rating(rating),
            ..full
        });
        check(club, [2165.724, 1645.794], [0.0, 0.0], false);
    }

    #[test]
    fn a_gain_over_a_newcomer_is_cut_to_what_the_sum_has_left() {
        let winner = |sum| with_sum(ESTABLISHED, sum);
        check(
            [winner(0.0), NEWCOMER],
            [1612.5, 1587.5],
            [12.5, 0.0],
            false,
        );
        check(
            [winner(37.5), NEWCOMER],
            [1612.5, 1587.5],
            [12.5, 0.0],
            false,
        );
        check(
            [winner(40.0), NEWCOMER],
            [1610.0, 1587.5],
            [10.0, 0.0],
            true,
        );
        check([winner(50.0), NEWCOMER], [1600.0, 1587.5], [0.0, 0.0], true);
        // After an annulled loss the sum may be above what it may reach.
        check([winner(55.0), NEWCOMER], [1600.0, 1587.5], [0.0, 0.0], true);
        check(
            [with_sum(NEWCOMER, 45.0), NEWCOMER],
            [1605.0, 1587.5],
            [5.0, -12.5],
            true,
        );
    }

    #[test]
    fn a_loss_to_a_newcomer_can_be_won_back() {
        let loser = with_sum(ESTABLISHED, 50.0);
        check([NEWCOMER, loser], [1612.5, 1587.5], [0.0, -12.5], false);
        let lost = with_sum(ESTABLISHED, 37.5);
        check([lost, NEWCOMER], [1612.5, 1587.5], [12.5, 0.0], false);
    }

    #[test]
    fn what_was_lost_to_newcomers_is_won_back_once() {
        let owed = |sum| with_sum(NEWCOMER, sum);
        check(
            [owed(-40.0), ESTABLISHED],
            [1612.5, 1587.5],
            [12.5, -12.5],
            false,
        );
        check(
            [owed(-5.0), ESTABLISHED],
            [1612.5, 1587.5],
            [5.0, -12.5],
            false,
        );
        check(
            [owed(5.0), ESTABLISHED],
            [1612.5, 1587.5],
            [0.0, -12.5],
            false,
        );
    }

    #[test]
    fn a_draw_can_be_a_gain_as_well() {
        let low = with_sum(NEWCOMER, 50.0);
        let high = RatedPlayer {
            rating: Rating(2165.0),
            ..NEWCOMER
        };
        let [low, high] = rate_players([low, high], None);
        assert_eq!(low.change.after, Rating(1600.0));
        assert!(low.change.capped && !high.change.capped);
        assert!(high.change.after < Rating(2165.0));
    }
}
