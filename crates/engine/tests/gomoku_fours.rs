//! Long victories by fours in Gomoku are found.

mod fours;

use tochki_engine::{Engine, Limits, Progress, gomoku::GomokuEngine};
use tochki_rules::{Game, gomoku::Rule};

#[test]
fn victories_by_fours_of_fifteen_plies_and_more_are_found() {
    let victories = fours::victories();
    for rule in Rule::ALL {
        let of_rule = |victory: &&fours::Victory| victory.position.setup().rule() == rule;
        assert!(victories.iter().filter(of_rule).count() >= 8, "{rule:?}");
    }
    for (number, victory) in victories.iter().enumerate() {
        assert!(victory.plies >= 15);
        let limits = Limits::nodes(fours::NODES);
        let mut engine = GomokuEngine::new(&victory.position, limits, 1);
        while engine.step(1_000) == Progress::Running {}
        let best = &engine.best().moves[0];
        assert!(
            fours::wins_by_fours(&victory.position, best),
            "number {number}: {best:?}"
        );
    }
}
