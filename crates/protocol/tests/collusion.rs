//! Figures of fair play: how far accomplices who lose on purpose lift their leader, by the rules of the server.
//!
//! Elo alone does not bound it: a ring of 100 fresh accounts lifts its leader by 638 points in one day, and by 1,187 in 10,000
//! games. So gains over players who are not established are bounded ([`NEWCOMER_GAIN_MAX`]), and a ring that is closed to
//! itself stays within that. What remains are the prices of leaving that bound: bought accounts, or real games with
//! established players by every accomplice. And the first players of a game can only be believed: see the last test.

use std::collections::{BTreeSet, HashMap, HashSet};
use tochki_play::{NEWCOMER_GAIN_MAX, RatedPlayer, Rating, rate_players};
use tochki_protocol::limits::{
    ESTABLISHING_OPPONENTS, FOUNDERS, FOUNDING_DAYS, FOUNDING_MATCHES, FOUNDING_OPPONENTS,
    RANKED_MATCHES, RATED_MATCHES_PER_PAIR,
};
use tochki_rules::Seat;

const ACCOUNTS: usize = 100;
const GAMES: u32 = 10_000;

/// An account, as the server knows it in one game.
struct Account {
    player: RatedPlayer,
    matches: u32,
    opponents: HashSet<usize>,
    days: HashSet<u32>,
    /// The established ones among its opponents, and whether it has not lost to one of them.
    established_opponents: HashSet<usize>,
    has_scored: bool,
}

impl Account {
    fn new(rating: f64, established: bool) -> Self {
        Self {
            player: RatedPlayer {
                rating: Rating(rating),
                established,
                newcomer_sum: 0.0,
            },
            matches: 0,
            opponents: HashSet::new(),
            days: HashSet::new(),
            established_opponents: HashSet::new(),
            has_scored: false,
        }
    }

    /// What `is_established` in the schema says, if so many others are established.
    fn earns_it(&self, established: usize) -> bool {
        let by_opponents =
            self.has_scored && self.established_opponents.len() >= ESTABLISHING_OPPONENTS as usize;
        let as_founder = established < FOUNDERS as usize
            && self.matches >= FOUNDING_MATCHES
            && self.opponents.len() >= FOUNDING_OPPONENTS as usize
            && self.days.len() >= FOUNDING_DAYS as usize;
        by_opponents || as_founder
    }
}

/// How the accomplices of a ring play on one day.
type Strategy = fn(&mut Arena);

/// A game of the arena. The accounts of the ring come first, the leader's before all others.
struct Arena {
    accounts: Vec<Account>,
    /// Which pairs have played how often today.
    today: HashMap<(usize, usize), u32>,
    /// The games of the ring among itself.
    games: u32,
    day: u32,
    /// The games that accomplices have played with established players outside of the ring.
    price: u32,
    /// The leader's highest rating.
    highest: f64,
}

impl Arena {
    /// A ring with some established accounts among the accomplices, and established players outside of it.
    fn new(bought: usize, outside: usize) -> Self {
        let ring = (0..ACCOUNTS).map(|n| Account::new(1600.0, (1..=bought).contains(&n)));
        let others = (0..outside).map(|_| Account::new(1600.0, true));
        Self {
            accounts: ring.chain(others).collect(),
            today: HashMap::new(),
            games: 0,
            day: 1,
            price: 0,
            highest: Rating::START.0,
        }
    }

    /// A rated match, if the limits allow it.
    fn play(&mut self, winner: usize, loser: usize) -> bool {
        let today = self
            .today
            .entry((winner.min(loser), winner.max(loser)))
            .or_default();
        if *today == RATED_MATCHES_PER_PAIR {
            return false;
        }
        *today += 1;
        let before = [winner, loser].map(|account| self.accounts[account].player);
        let results = rate_players(before, Some(Seat::First));
        for (seat, account) in Seat::BOTH.into_iter().zip([winner, loser]) {
            let (result, other) = (results[seat.index()], [winner, loser][seat.other().index()]);
            let account = &mut self.accounts[account];
            account.player.rating = result.change.after;
            account.player.newcomer_sum += result.newcomer_change;
            account.matches += 1;
            account.opponents.insert(other);
            account.days.insert(self.day);
            if before[seat.other().index()].established {
                account.established_opponents.insert(other);
                account.has_scored |= seat == Seat::First;
            }
        }
        for account in [winner, loser] {
            let is_established = |account: &&Account| account.player.established;
            let established = self.accounts.iter().filter(is_established).count();
            if self.accounts[account].earns_it(established) {
                self.accounts[account].player.established = true;
            }
        }
        self.highest = self.highest.max(self.accounts[0].player.rating.0);
        true
    }

    /// A match within the ring that `loser` gives away.
    fn give_away(&mut self, winner: usize, loser: usize) {
        if self.games < GAMES && self.play(winner, loser) {
            self.games += 1;
        }
    }

    fn next_day(&mut self) {
        self.today.clear();
        self.day += 1;
    }

    /// How far the leader was above the start at the highest.
    fn lift(&self) -> f64 {
        self.highest - Rating::START.0
    }

    /// Plays until all games are played, or the days are over.
    fn collude(&mut self, strategy: Strategy, days: u32) {
        loop {
            strategy(self);
            if self.games == GAMES || self.day == days {
                return;
            }
            self.next_day();
        }
    }

    /// Prints the figures.
    fn told(&self, name: &str) -> f64 {
        let (lift, games, days, price) = (self.lift(), self.games, self.day, self.price);
        let honest = if price > 0 {
            format!(", and {price} with established players outside of the ring")
        } else {
            String::new()
        };
        println!("{name}: +{lift:.1} after {games} games on {days} days{honest}");
        lift
    }
}

/// Everybody loses to the leader, five times a day.
fn all_to_one(arena: &mut Arena) {
    for _ in 0..RATED_MATCHES_PER_PAIR {
        for loser in 1..ACCOUNTS {
            arena.give_away(0, loser);
        }
    }
}

/// In a chain each account loses to the next one, so that the points of all flow up to the leader.
fn chain(arena: &mut Arena) {
    for loser in (1..ACCOUNTS).rev() {
        for _ in 0..RATED_MATCHES_PER_PAIR {
            arena.give_away(loser - 1, loser);
        }
    }
}

/// The lower half loses to the upper half, whose lower half then loses to its upper half, and so on up to the leader.
fn pyramid(arena: &mut Arena) {
    let mut width = ACCOUNTS;
    while width > 1 {
        let half = width.div_ceil(2);
        for loser in half..width {
            for _ in 0..RATED_MATCHES_PER_PAIR {
                arena.give_away(loser - half, loser);
            }
        }
        width = half;
    }
}

/// The accomplices feed ten of them first, who then lose to the leader.
fn two_stages(arena: &mut Arena) {
    for loser in 11..ACCOUNTS {
        arena.give_away(1 + loser % 10, loser);
    }
    for fed in 1..=10 {
        arena.give_away(0, fed);
    }
}

/// Everybody meets everybody else in turn and wins as often as they lose; only the leader never loses.
fn in_rotation(arena: &mut Arena) {
    for loser in 1..ACCOUNTS {
        let next = 1 + (loser + arena.day as usize) % (ACCOUNTS - 1);
        if next != loser {
            arena.give_away(next, loser);
        }
        arena.give_away(0, loser);
    }
}

/// The leader loses first, so that there is more to win back.
fn alternating(arena: &mut Arena) {
    for accomplice in 1..ACCOUNTS {
        if arena.day % 2 == 1 {
            arena.give_away(accomplice, 0);
        } else {
            arena.give_away(0, accomplice);
        }
    }
}

const STRATEGIES: [(&str, Strategy); 6] = [
    ("all to one", all_to_one),
    ("chain", chain),
    ("pyramid", pyramid),
    ("two stages", two_stages),
    ("in rotation", in_rotation),
    ("alternating", alternating),
];

#[test]
fn a_closed_ring_lifts_its_leader_by_fifty_points_at_most() {
    // Ten thousand games as fast as can be, and a patient ring of sixty days.
    for (name, strategy) in STRATEGIES {
        for days in [1, 60, u32::MAX] {
            let mut arena = Arena::new(0, FOUNDERS as usize);
            arena.collude(strategy, days);
            let lift = arena.told(name);
            assert!(lift <= NEWCOMER_GAIN_MAX + 1e-9, "{name}: {lift}");
        }
    }
    let mut arena = Arena::new(0, FOUNDERS as usize);
    arena.collude(all_to_one, u32::MAX);
    assert_eq!(
        arena.games, GAMES,
        "the limits of a day do not end it before"
    );
}

/// The leader loses to accomplices, climbs back in honest games, and would win the same points once more.
#[test]
fn losing_to_accomplices_and_climbing_back_gives_nothing_more() {
    let mut arena = Arena::new(0, 50);
    let strength = Rating::START.0;
    for round in 0..10 {
        for accomplice in 1..ACCOUNTS {
            arena.give_away(accomplice, 0);
        }
        arena.next_day();
        // The leader plays as well as before, so that honest games lead up to that strength and no further.
        let mut honest = 0;
        while arena.accounts[0].player.rating.0 < strength {
            let other = ACCOUNTS + honest % 50;
            arena.accounts[other].player.rating = Rating(strength);
            assert!(arena.play(0, other), "{round}: too many honest games");
            honest += 1;
        }
        for accomplice in 1..ACCOUNTS {
            arena.give_away(0, accomplice);
        }
        arena.next_day();
    }
    let lift = arena.told("down to accomplices, up in honest games");
    // The last honest game may have gone over the strength by what one game gives.
    assert!(lift <= NEWCOMER_GAIN_MAX + 25.0, "{lift}");
}

/// Established accounts among the accomplices lose to the leader without a bound of this rule: even one passes on what it wins
/// back from the others, as what is lost to a newcomer may be won back from any of them. It is less than by Elo alone.
#[test]
fn established_accomplices_give_less_than_by_elo_alone() {
    for (name, strategy) in STRATEGIES {
        let [by_elo_alone, one, two, three] = [ACCOUNTS - 1, 1, 2, 3].map(|bought| {
            let mut arena = Arena::new(bought, FOUNDERS as usize);
            arena.collude(strategy, 60);
            if bought < ESTABLISHING_OPPONENTS as usize {
                let newcomers = &arena.accounts[1 + bought..ACCOUNTS];
                let established = newcomers.iter().any(|account| account.player.established);
                assert!(!established, "so few establish nobody");
            }
            arena.told(&format!("{name}, {bought} bought"))
        });
        for lift in [one, two, three] {
            assert!(lift <= by_elo_alone, "{name}: {lift}, {by_elo_alone}");
        }
    }
}

/// The price of a ring whose accomplices are established one by one: each plays with five different established players, and
/// wins one of these games.
#[test]
fn what_it_costs_to_establish_accomplices() {
    let mut before = 0.0;
    for accomplices in [0, 5, 10, 25, 50, 99] {
        let mut arena = Arena::new(0, FOUNDERS as usize);
        for accomplice in 1..=accomplices {
            let games = ESTABLISHING_OPPONENTS as usize;
            for game in 0..games {
                let other = ACCOUNTS + (accomplice + game) % FOUNDERS as usize;
                assert!(!arena.accounts[accomplice].player.established);
                // To lose all of them would establish nobody.
                let [winner, loser] = if game == 0 {
                    [accomplice, other]
                } else {
                    [other, accomplice]
                };
                assert!(arena.play(winner, loser));
                arena.price += 1;
            }
            assert!(arena.accounts[accomplice].player.established);
        }
        arena.collude(all_to_one, u32::MAX);
        let lift = arena.told(&format!("{accomplices} established accomplices"));
        let each = ESTABLISHING_OPPONENTS as usize * accomplices;
        assert_eq!(arena.price as usize, each);
        assert!(lift >= before, "more of them bring no less");
        before = lift;
    }
}

#[test]
fn who_loses_to_established_players_on_purpose_is_not_established() {
    let mut arena = Arena::new(0, FOUNDERS as usize);
    for other in ACCOUNTS..ACCOUNTS + FOUNDERS as usize {
        arena.play(other, 1);
    }
    assert!(!arena.accounts[1].player.established);
    arena.play(1, ACCOUNTS);
    assert!(arena.accounts[1].player.established);
}

/// Where nobody is established yet, a ring can be the first. It takes it ten days, and an operator can name others before.
#[test]
fn a_ring_is_established_after_ten_days_where_nobody_is_yet() {
    for (outside, first_days) in [(0, FOUNDING_DAYS - 1), (FOUNDERS as usize, 60)] {
        let mut arena = Arena::new(0, outside);
        arena.collude(in_rotation, first_days);
        let established: BTreeSet<usize> = (0..ACCOUNTS)
            .filter(|account| arena.accounts[*account].player.established)
            .collect();
        assert!(established.is_empty(), "{established:?}");
        assert!(arena.lift() <= NEWCOMER_GAIN_MAX + 1e-9);
    }
    let mut arena = Arena::new(0, 0);
    arena.collude(in_rotation, FOUNDING_DAYS);
    arena.collude(all_to_one, u32::MAX);
    arena.told("a ring that is the first in a new game");
}

/// What it costs to be listed at all: an account that has beaten one other as often as a day allows is in the standings.
#[test]
fn one_accomplice_lifts_an_account_by_fifty_points_and_no_more() {
    const { assert!(RANKED_MATCHES <= RATED_MATCHES_PER_PAIR) };
    let mut arena = Arena::new(0, FOUNDERS as usize);
    for _ in 0..100 {
        arena.give_away(0, 1);
    }
    assert_eq!(arena.games, RATED_MATCHES_PER_PAIR);
    assert!((arena.lift() - NEWCOMER_GAIN_MAX).abs() < 1e-9);
}
