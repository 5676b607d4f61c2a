//! The time for a placed dot: whole games of random dots on the usual board, timed by the caller.

use tochki_engine::Rng;
use tochki_rules::{
    Game,
    dots::{Dots, Point, Setup},
};
use wasm_bindgen::prelude::wasm_bindgen;

/// Games that are played at a stretch: a browser's clock is too coarse for one, and more boards are not in the cache.
const GAMES: usize = 8;

/// Boards, each with a random order of all its points.
#[wasm_bindgen]
#[derive(Debug)]
pub struct RandomGames {
    games: Vec<(Dots, Vec<Point>)>,
    rng: Rng,
}

#[wasm_bindgen]
impl RandomGames {
    /// Draws the games, which are the same every time.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new() -> Self {
        let game = || {
            let order = Setup::DEFAULT.points().collect();
            (Dots::new(&Setup::DEFAULT), order)
        };
        let mut games = Self {
            games: (0..GAMES).map(|_| game()).collect(),
            rng: Rng::new(1),
        };
        games.restart();
        games
    }

    /// Plays each game to its end, both sides in turn. Returns the number of dots placed.
    pub fn play(&mut self) -> u32 {
        let mut dots = 0;
        for (game, order) in &mut self.games {
            for &point in &*order {
                dots += u32::from(game.play(point).is_ok());
            }
        }
        dots
    }

    /// Takes all moves back and draws other games: a processor learns to predict the branches of games that it plays again.
    pub fn restart(&mut self) {
        for (game, order) in &mut self.games {
            game.restart();
            for last in (1..order.len()).rev() {
                order.swap(last, self.rng.below(last as u32 + 1) as usize);
            }
        }
    }
}

impl Default for RandomGames {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_games_are_played_to_their_end_again_and_again() {
        let mut games = RandomGames::new();
        let area = GAMES as u32 * u32::from(Setup::DEFAULT.area());
        for _ in 0..3 {
            let dots = games.play();
            assert!((area / 2..=area).contains(&dots), "{dots}");
            assert_eq!(games.play(), 0, "all are over");
            games.restart();
        }
    }
}
