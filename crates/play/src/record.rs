//! A match as a game record (SGF).

use super::{Match, MatchResult, Reason, Timestamp, date};
use tochki_rules::record::{How, PlacedDot, Record, Side, Verdict};
use tochki_rules::{Move, Setup};

impl Match {
    /// The record of this match, if its game has a form on paper.
    pub fn record(&self, sides: [Side; 2], started_at: Timestamp) -> Option<Record> {
        let Setup::Dots(setup) = self.terms().setup else {
            return None;
        };
        let plies = self.plies().iter().filter_map(|ply| match ply.mv {
            Move::Dots(point) => Some(PlacedDot {
                seat: ply.seat,
                point,
            }),
            _ => None,
        });
        Some(Record {
            setup,
            start: Vec::new(),
            plies: plies.collect(),
            sides,
            verdict: self.result().map(|result| result.verdict(self.score())),
            date: date::day(started_at),
            comment: String::new(),
        })
    }
}

impl MatchResult {
    /// The result as a record has it, with the score at the end.
    pub fn verdict(&self, score: [u32; 2]) -> Verdict {
        let Some(by) = self.winner else {
            return Verdict::Draw;
        };
        let how = match self.reason {
            Reason::Resigned => How::Resignation,
            Reason::Time => How::Time,
            Reason::Absence => How::Forfeit,
            _ => How::Points(score[0].abs_diff(score[1])),
        };
        Verdict::Won { by, how }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tochki_rules::Seat;

    #[test]
    fn a_result_says_who_won_and_by_what() {
        let result = |winner, reason| MatchResult {
            winner,
            reason,
            ratings: None,
        };
        let of = |winner, reason| result(winner, reason).verdict([3, 19]).to_string();
        assert_eq!(of(Some(Seat::Second), Reason::BoardFull), "W+16");
        assert_eq!(of(Some(Seat::Second), Reason::AgreedFinish), "W+16");
        assert_eq!(of(Some(Seat::First), Reason::Resigned), "B+R");
        assert_eq!(of(Some(Seat::First), Reason::Time), "B+T");
        assert_eq!(of(Some(Seat::First), Reason::Absence), "B+F");
        assert_eq!(of(None, Reason::AgreedDraw), "0");
    }
}
