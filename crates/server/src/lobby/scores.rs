//! The scores of running matches, as the subscribers of a waiting room know them.

use crate::matches::db::RecentMatch;
use std::collections::BTreeMap;
use std::time::Instant;
use tochki_protocol::{MatchId, MatchScore, Scores, limits};
use tochki_rules::GameKind;

/// The scores that the subscribers know; of a match without an entry they know that it is at the beginning.
#[derive(Default)]
pub(super) struct PublishedScores {
    scores: BTreeMap<MatchId, MatchScore>,
    /// Time of the last publication.
    at: Option<Instant>,
}

impl PublishedScores {
    /// The scores of running matches of this game that have changed, unless some were published just now.
    pub(super) fn update<'a>(
        &mut self,
        game: GameKind,
        matches: impl Iterator<Item = &'a RecentMatch>,
        now: Instant,
    ) -> Option<Scores> {
        if self
            .at
            .is_some_and(|at| now.duration_since(at) < limits::SCORES_INTERVAL)
        {
            return None;
        }
        let running = matches.filter(|recent| !recent.finished && recent.summary.game == game);
        let current: BTreeMap<_, _> = running
            .map(|recent| {
                let score = MatchScore {
                    match_id: recent.summary.id,
                    score: recent.summary.score,
                    progress: recent.summary.progress,
                };
                (score.match_id, score)
            })
            .collect();
        let changed = |score: &&MatchScore| match self.scores.get(&score.match_id) {
            Some(published) => published != *score,
            None => (score.score, score.progress) != ([0, 0], 0),
        };
        let matches: Vec<_> = current.values().filter(changed).copied().collect();
        self.scores = current;
        if matches.is_empty() {
            return None;
        }
        self.at = Some(now);
        Some(Scores { matches })
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use std::time::Duration;
    use tochki_play::Timestamp;
    use tochki_protocol::{MatchSummary, PlayerCard, PlayerId};

    pub(in crate::lobby) fn running(id: i64, game: GameKind, points: u32) -> RecentMatch {
        let card = |id| PlayerCard {
            id: PlayerId(id),
            name: "Ann".into(),
            rating: 1600.0,
            guest: false,
            provisional: false,
            bot: false,
        };
        RecentMatch {
            summary: MatchSummary {
                id: MatchId(id),
                game,
                players: [card(1), card(2)],
                score: [points, 0],
                progress: 10,
                started_at: Timestamp(0),
            },
            finished: false,
        }
    }

    #[test]
    fn scores_are_told_together_when_they_change_and_once_a_second() {
        let start = Instant::now();
        let mut published = PublishedScores::default();
        let mut tell = |points: &[u32], ms: u64| {
            let matches: Vec<_> = (1..)
                .zip(points)
                .map(|(id, points)| running(id, GameKind::Dots, *points))
                .collect();
            let now = start + Duration::from_millis(ms);
            let scores = published.update(GameKind::Dots, matches.iter(), now);
            scores.map(|scores| {
                let short = |score: MatchScore| (score.match_id.0, score.score[0]);
                scores.matches.into_iter().map(short).collect::<Vec<_>>()
            })
        };
        assert_eq!(tell(&[1, 1], 0), Some(vec![(1, 1), (2, 1)]));
        assert_eq!(tell(&[2, 1], 999), None, "too soon");
        assert_eq!(tell(&[2, 1], 1000), Some(vec![(1, 2)]), "not lost");
        assert_eq!(tell(&[2, 1], 2000), None, "nothing new");
        assert_eq!(tell(&[2, 3], 2001), Some(vec![(2, 3)]));
    }

    #[test]
    fn scores_of_other_games_belong_to_other_rooms() {
        let mut published = PublishedScores::default();
        let other = [running(1, GameKind::Gomoku, 1)];
        assert_eq!(
            published.update(GameKind::Dots, other.iter(), Instant::now()),
            None
        );
    }
}
