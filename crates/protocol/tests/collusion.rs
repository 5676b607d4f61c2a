//! A figure of fair play: how far 99 colluding accounts lift their leader in 10,000 games that they all lose on purpose.
//!
//! Elo is what the specification says, and every rated match counts, so only two things bound it: that each pair is rated
//! five times a day, and that a loser's rating falls, so that each further win gives less. A bound of
//! fifty points is not to be had with plain Elo: 99 accounts that begin with 1600 bring 638 points in one day. What helps
//! beyond the formula: the standings hold nobody before five rated games, a match that nobody begins is not rated, one address can
//! register only so many accounts, and an operator can annul.

use tochki_play::{Rating, rate};
use tochki_protocol::limits::{RANKED_MATCHES, RATED_MATCHES_PER_PAIR};
use tochki_rules::Seat;

const ACCOUNTS: usize = 100;
const GAMES: u32 = 10_000;

/// How the accomplices of a ring play.
type Strategy = fn(&mut Ring);

/// The ratings of the accounts, the leader's first; and on each day which pairs have played how often.
struct Ring {
    ratings: Vec<Rating>,
    today: Vec<u32>,
    games: u32,
    days: u32,
}

impl Ring {
    fn new() -> Self {
        Self {
            ratings: vec![Rating::START; ACCOUNTS],
            today: vec![0; ACCOUNTS * ACCOUNTS],
            games: 0,
            days: 1,
        }
    }

    /// A rated match that `loser` gives away, if the limits allow it.
    fn give_away(&mut self, winner: usize, loser: usize) {
        let pair = winner.min(loser) * ACCOUNTS + winner.max(loser);
        if self.games == GAMES || self.today[pair] == RATED_MATCHES_PER_PAIR {
            return;
        }
        self.today[pair] += 1;
        self.games += 1;
        let both = [self.ratings[winner], self.ratings[loser]];
        let [won, lost] = rate(both, Some(Seat::First));
        self.ratings[winner] = won.after;
        self.ratings[loser] = lost.after;
    }

    fn next_day(&mut self) {
        self.today.fill(0);
        self.days += 1;
    }

    /// How far the leader is above the start.
    fn lift(&self) -> i64 {
        (self.ratings[0].0 - Rating::START.0).round() as i64
    }
}

/// Everybody loses to the leader, five times a day.
fn all_to_one(ring: &mut Ring) {
    for _ in 0..RATED_MATCHES_PER_PAIR {
        for loser in 1..ACCOUNTS {
            ring.give_away(0, loser);
        }
    }
}

/// In a chain each account loses to the next one, so that the points of all flow up to the leader.
fn up_a_chain(ring: &mut Ring) {
    for loser in (1..ACCOUNTS).rev() {
        for _ in 0..RATED_MATCHES_PER_PAIR {
            ring.give_away(loser - 1, loser);
        }
    }
}

/// The lower half loses to the upper half, whose lower half then loses to its upper half, and so on up to the leader.
fn up_a_pyramid(ring: &mut Ring) {
    let mut width = ACCOUNTS;
    while width > 1 {
        let half = width.div_ceil(2);
        for loser in half..width {
            for _ in 0..RATED_MATCHES_PER_PAIR {
                ring.give_away(loser - half, loser);
            }
        }
        width = half;
    }
}

/// Plays until all games are played, or the days are over. Returns the leader's lift, the days and the games.
fn collude(strategy: fn(&mut Ring), days: u32) -> (i64, u32, u32) {
    let mut ring = Ring::new();
    loop {
        strategy(&mut ring);
        if ring.games == GAMES || ring.days == days {
            return (ring.lift(), ring.days, ring.games);
        }
        ring.next_day();
    }
}

#[test]
fn the_lift_of_a_leader_by_colluding_accounts() {
    let strategies: [(&str, Strategy); 3] = [
        ("all to one", all_to_one),
        ("up a chain", up_a_chain),
        ("up a pyramid", up_a_pyramid),
    ];
    let mut figures = Vec::new();
    for (name, strategy) in strategies {
        for days in [1, u32::MAX] {
            let (lift, days, games) = collude(strategy, days);
            println!("{name}: +{lift} after {games} games on {days} days");
            figures.push((name, days, games, lift));
        }
    }
    assert_eq!(
        figures,
        [
            ("all to one", 1, 495, 638),
            ("all to one", 21, 10_000, 1097),
            ("up a chain", 1, 495, 64),
            ("up a chain", 21, 10_000, 494),
            ("up a pyramid", 1, 495, 280),
            ("up a pyramid", 21, 10_000, 1187),
        ]
    );
}

/// What it costs to be listed at all: an account that has beaten one other as often as a day allows is in the standings.
#[test]
fn one_accomplice_lifts_an_account_by_less_than_sixty_points_a_day() {
    const { assert!(RANKED_MATCHES <= RATED_MATCHES_PER_PAIR) };
    let mut ring = Ring::new();
    for _ in 0..100 {
        ring.give_away(0, 1);
    }
    assert_eq!((ring.games, ring.lift()), (RATED_MATCHES_PER_PAIR, 54));
}
