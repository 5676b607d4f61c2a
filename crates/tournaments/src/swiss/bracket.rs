//! The pairing of one bracket, with a look at the next one and the rest.

use super::criteria::Criteria;
use super::ordering::Narrowing;

impl Criteria<'_> {
    /// Returns the pairs of the bracket, as indices of its players. Who is in none of them floats down.
    pub(super) fn pair(mut self) -> Vec<[usize; 2]> {
        let mut weights = self.weights();
        if self.bye_score >= Some(self.players[self.residents].score) {
            // The one with the bye is here.
            let all: Vec<_> = (0..weights.size()).collect();
            let mates = weights.solve(&all);
            let floats = |&one: &usize| mates[one].is_none_or(|mate| mate >= self.next);
            if (0..self.next).filter(floats).count() == 1 {
                self.bye_floats_alone = true;
                weights = self.weights();
            }
        }
        Narrowing::new(weights).pair(self.residents, self.next)
    }
}
