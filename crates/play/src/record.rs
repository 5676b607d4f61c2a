//! A match as a game record (SGF).

use super::{Match, MatchResult, Reason, Timestamp, date};
use tochki_rules::record::{GameResult, PlacedDot, Record, RecordPlayer, WinReason};
use tochki_rules::{Move, Setup};

impl Match {
    /// The record of this match, if its game can be written as one.
    pub fn record(&self, players: [RecordPlayer; 2], started_at: Timestamp) -> Option<Record> {
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
            players,
            // An aborted game has none.
            result: self
                .result()
                .filter(|result| !result.is_aborted())
                .map(|result| result.for_record(self.score())),
            date: date::day(started_at),
            comment: String::new(),
        })
    }
}

impl MatchResult {
    /// The result for a record, with the final score.
    pub fn for_record(&self, score: [u32; 2]) -> GameResult {
        let Some(by) = self.winner else {
            return GameResult::Draw;
        };
        let how = match self.reason {
            Reason::Resigned => WinReason::Resignation,
            Reason::Time => WinReason::Time,
            Reason::Absence | Reason::Forfeit => WinReason::Forfeit,
            _ => WinReason::Points(score[0].abs_diff(score[1]).into()),
        };
        GameResult::Won { by, how }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tochki_rules::Seat;

    #[test]
    fn results_have_winner_and_reason() {
        let result = |winner, reason| MatchResult {
            winner,
            reason,
            ratings: None,
            by: None,
        };
        let of = |winner, reason| result(winner, reason).for_record([3, 19]).to_string();
        assert_eq!(of(Some(Seat::Second), Reason::BoardFull), "W+16");
        assert_eq!(of(Some(Seat::Second), Reason::AgreedFinish), "W+16");
        assert_eq!(of(Some(Seat::First), Reason::Resigned), "B+R");
        assert_eq!(of(Some(Seat::First), Reason::Time), "B+T");
        assert_eq!(of(Some(Seat::First), Reason::Absence), "B+F");
        assert_eq!(of(None, Reason::AgreedDraw), "0");
    }
}
