//! Games by appointment, in a round robin over days: proposing times, and the turns of the driver, which begin games, and decide those to
//! which somebody does not come.
//!
//! A game whose two players have come begins by itself. Who has not come fifteen minutes later has lost it. Where nobody came, or no time was
//! agreed on until the round is over, it is half a point each or drawn by lot, as the creator chose; but who proposed no time loses to who did
//! so early enough, so that nobody gains by saying nothing.

use super::db::StoredTournament;
use super::db::appointments::OpenGame;
use super::{Tournaments, db, rounds};
use crate::db::Tx;
use crate::notifications::db::insert_tournament_notice;
use crate::{Error, WithSubject as _, pairing};
use std::collections::HashSet;
use tochki_play::{Millis, Terms, Timestamp, TournamentMatch};
use tochki_protocol::limits::{self, in_millis};
use tochki_protocol::{Account, ByeKind, Code, MissedGame, TournamentId, TournamentNotice};
use tochki_rules::Seat;
use tochki_tournaments::round_robin;

/// What comes of a game that has not begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    /// It is still to come.
    Open,
    /// Both have come: it begins.
    Begins,
    /// Nobody plays it, and this side has the point.
    Won(Seat),
    /// The other side has left so early that nobody has a point of it: this side is free.
    Free(Seat),
    /// Nobody has come.
    Missed,
    /// Both have left.
    Gone,
}

impl Tournaments {
    /// Proposes a time for the game of a player in the round that runs. If the opponent has proposed the same, it is agreed on, instead of
    /// any time before.
    ///
    /// # Errors
    /// `no_such_tournament`, `not_open` for who has no such game, or whose game is about to begin, or `bad_request` for a time that is too
    /// soon or after the end of the round.
    pub async fn propose_time(
        &self,
        player: &Account,
        id: TournamentId,
        at: Timestamp,
    ) -> Result<(), Error> {
        let done = async {
            let mut tx = crate::db::begin(&self.db).await?;
            let stored = self.lock(&mut tx, id).await?;
            let game = db::appointments::of_player(&mut tx, id, player.id).await?;
            let game = game.ok_or(Code::NotOpen)?;
            if game.at.is_some_and(|agreed| agreed <= stored.now) {
                return Err(Code::NotOpen.into());
            }
            let lead = Millis(at.0.saturating_sub(stored.now.0));
            if lead < in_millis(limits::APPOINTMENT_MIN_LEAD) || at > game.until {
                return Err(Code::BadRequest.into());
            }
            let notice = match db::appointments::same_proposal(&mut tx, id, &game, at).await? {
                Some(agreed) => {
                    db::appointments::agree(&mut tx, id, &game, agreed).await?;
                    Some(TournamentNotice::TimeAgreed)
                }
                None => {
                    db::appointments::propose(&mut tx, id, &game, at).await?;
                    let is_told = db::appointments::tell(&mut tx, id, &game).await?;
                    is_told.then_some(TournamentNotice::TimeProposed)
                }
            };
            if let Some(notice) = notice {
                self.tell(&mut tx, id, notice, player, [game.opponent])
                    .await?;
            }
            db::advance(&mut tx, id).await?;
            tx.commit().await?;
            self.notifier.notify_causes();
            Ok(())
        };
        done.await.with_subject(id)
    }

    /// Takes back a time that a player has proposed. What was agreed on stays.
    ///
    /// # Errors
    /// `no_such_tournament`, or `not_open` for who has no game that has not begun.
    pub async fn take_back_time(
        &self,
        player: &Account,
        id: TournamentId,
        at: Timestamp,
    ) -> Result<(), Error> {
        let done = async {
            let mut tx = crate::db::begin(&self.db).await?;
            self.lock(&mut tx, id).await?;
            let game = db::appointments::of_player(&mut tx, id, player.id).await?;
            let game = game.ok_or(Code::NotOpen)?;
            // No time that can be proposed is out of the bounds of the database.
            if at > game.until || at.0 < 0 {
                return Err(Code::BadRequest.into());
            }
            db::appointments::take_back(&mut tx, id, &game, at).await?;
            db::advance(&mut tx, id).await?;
            tx.commit().await?;
            Ok(())
        };
        done.await.with_subject(id)
    }

    /// Does what is due in a locked round robin over days after its first round was made.
    pub(super) async fn drive_appointments(
        &self,
        mut tx: Tx,
        stored: &StoredTournament,
    ) -> Result<(), Error> {
        let id = stored.tournament.id;
        let rounds = stored.rounds()?;
        let round = rounds.round.cast_signed();
        let is_round_over = rounds.round_at.is_none_or(|at| at <= stored.now);
        db::appointments::note_presence(&mut tx, id, round).await?;
        let games = db::appointments::open(&mut tx, id, round).await?;
        let table = db::appointments::table_len(&mut tx, id).await?;
        let outcomes: Vec<_> = (games.iter())
            .map(|game| outcome(game, is_round_over, table, rounds.double))
            .collect();
        // The players of all games at once, in one order.
        let due: Vec<i32> = (games.iter().zip(&outcomes))
            .filter(|(_, outcome)| **outcome == Outcome::Begins)
            .flat_map(|(game, _)| game.numbers)
            .collect();
        let free = if due.is_empty() {
            Vec::new()
        } else {
            db::round_rows::lock_free(&mut tx, id, &due).await?
        };
        let free: HashSet<i32> = free.into_iter().collect();
        let (mut is_open, mut is_changed, mut has_begun) = (false, false, false);
        for (game, outcome) in games.iter().zip(outcomes) {
            let outcome = match outcome {
                Outcome::Begins => {
                    let is_free = game.numbers.map(|number| free.contains(&number));
                    begins(is_free, game.is_over)
                }
                other => other,
            };
            let is_done = self.decide(&mut tx, stored, game, outcome).await?;
            has_begun |= is_done && outcome == Outcome::Begins;
            if is_done {
                db::appointments::delete(&mut tx, id, round, game.numbers).await?;
            }
            is_changed |= is_done;
            is_open |= !is_done;
        }
        let is_reminded = remind(&mut tx, id, round).await?;
        if is_changed {
            db::advance(&mut tx, id).await?;
        }
        let is_played = !is_open && !db::round_rows::is_running(&mut tx, id).await?;
        if is_played && !rounds.is_next_to_come() {
            rounds::end(&mut tx, stored).await?;
        }
        tx.commit().await?;
        if has_begun {
            // The rooms call players to their boards, in every page that they have open.
            self.notifier.notify_rooms();
        }
        if is_reminded {
            self.notifier.notify_causes();
        }
        if is_played && rounds.is_next_to_come() && is_round_over {
            self.pair_round(stored).await?;
        }
        Ok(())
    }

    /// Does what comes of a game. Returns whether it is to come no more.
    async fn decide(
        &self,
        tx: &mut Tx,
        stored: &StoredTournament,
        game: &OpenGame,
        outcome: Outcome,
    ) -> Result<bool, Error> {
        let (id, numbers) = (stored.tournament.id, game.numbers);
        let rounds = stored.rounds()?;
        let round = rounds.round.cast_signed();
        match outcome {
            Outcome::Open => return Ok(false),
            Outcome::Begins => return self.begin_game(tx, stored, numbers).await,
            Outcome::Won(winner) => {
                db::round_rows::insert_forfeit(tx, id, round, numbers, winner).await?;
                let loser = winner.other().index();
                // Who has left has not missed it.
                if game.takes_part[loser] {
                    db::appointments::miss(tx, id, &[numbers[loser]]).await?;
                }
            }
            Outcome::Free(stays) => {
                let number = numbers[stays.index()];
                db::round_rows::insert_bye(tx, id, round, number, ByeKind::Free).await?;
            }
            Outcome::Missed => {
                match rounds.missed.unwrap_or_default() {
                    MissedGame::Half => {
                        db::round_rows::insert_missed(tx, id, round, numbers).await?;
                    }
                    MissedGame::Lot => {
                        let winner = rounds::drawn_side();
                        db::round_rows::insert_forfeit(tx, id, round, numbers, winner).await?;
                    }
                }
                db::appointments::miss(tx, id, &numbers).await?;
            }
            Outcome::Gone => {}
        }
        Ok(true)
    }

    /// Begins a game of two locked players. Returns whether that was possible now.
    async fn begin_game(
        &self,
        tx: &mut Tx,
        stored: &StoredTournament,
        numbers: [i32; 2],
    ) -> Result<bool, Error> {
        let id = stored.tournament.id;
        let rounds = stored.rounds()?;
        match self.capacity.check_match(tx).await {
            Err(error) if error.failure().is_none() => return Ok(false),
            checked => checked?,
        }
        let players = db::round_rows::players(tx, id, &numbers).await?;
        let seats = numbers.map(|number| players[&number]);
        let bounds = db::pairings::rating_bounds(tx, id).await?;
        let terms = stored.terms();
        let terms = Terms {
            rated: terms.rated && db::pairings::can_be_rated(tx, bounds, seats).await?,
            ..terms
        };
        let rules = TournamentMatch {
            id: id.0,
            first_move: stored.tournament.first_move,
            offers_after: rounds.offers_after,
            berserk: false,
        };
        let started = pairing::db::start_tournament_match(tx, seats, &terms, rules).await;
        let match_id = match started {
            Ok(match_id) => match_id,
            // Refused before anything was written.
            Err(error) if matches!(error.code(), Code::OpponentLeft | Code::OnVacation) => {
                return Ok(false);
            }
            Err(error) => return Err(error),
        };
        let round = rounds.round.cast_signed();
        db::round_rows::insert(tx, id, round, numbers, match_id).await?;
        Ok(true)
    }
}

/// Reminds the players of the games of a round. Returns whether there was somebody.
async fn remind(tx: &mut Tx, id: TournamentId, round: i32) -> Result<bool, Error> {
    let [day, hour] = limits::APPOINTMENT_REMINDED_BEFORE;
    let mut is_anybody = false;
    // The later one first: then the earlier one is over.
    for (stage, before, notice) in [
        (2, hour, TournamentNotice::GameInAnHour),
        (1, day, TournamentNotice::GameInADay),
    ] {
        let players = db::appointments::remind(tx, id, round, stage, before).await?;
        if !players.is_empty() {
            insert_tournament_notice(tx, id, notice, &players).await?;
            is_anybody = true;
        }
    }
    Ok(is_anybody)
}

/// Returns what comes of a game whose players have come, of whom some may play elsewhere. Once nobody waits any more, they are not here.
fn begins(is_free: [bool; 2], is_over: bool) -> Outcome {
    match is_free {
        [true, true] => Outcome::Begins,
        _ if !is_over => Outcome::Open,
        [true, false] => Outcome::Won(Seat::First),
        [false, true] => Outcome::Won(Seat::Second),
        [false, false] => Outcome::Missed,
    }
}

/// Returns what comes of a game that has not begun, in a table of so many players.
fn outcome(game: &OpenGame, is_round_over: bool, table: usize, double: bool) -> Outcome {
    let one_of = |sides: [bool; 2]| match sides {
        [true, false] => Some(Seat::First),
        [false, true] => Some(Seat::Second),
        _ => None,
    };
    if let Some(stays) = one_of(game.takes_part) {
        let gone = stays.other().index();
        return if round_robin::is_void(game.played[gone], table, double) {
            Outcome::Free(stays)
        } else {
            Outcome::Won(stays)
        };
    }
    if game.takes_part == [false; 2] {
        return Outcome::Gone;
    }
    if !game.is_agreed {
        return match one_of(game.has_tried) {
            _ if !is_round_over => Outcome::Open,
            Some(tried) => Outcome::Won(tried),
            None => Outcome::Missed,
        };
    }
    if !game.is_due {
        return Outcome::Open;
    }
    if game.came == [true; 2] {
        return Outcome::Begins;
    }
    match one_of(game.came) {
        _ if !game.is_over => Outcome::Open,
        Some(came) => Outcome::Won(came),
        None => Outcome::Missed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A game of a table of four, without a time.
    fn game() -> OpenGame {
        OpenGame {
            numbers: [3, 7],
            is_agreed: false,
            is_due: false,
            is_over: false,
            came: [false; 2],
            takes_part: [true; 2],
            has_tried: [false; 2],
            played: [0, 2],
        }
    }

    fn of(game: &OpenGame, is_round_over: bool) -> Outcome {
        outcome(game, is_round_over, 4, false)
    }

    #[test]
    fn a_game_without_a_time_is_decided_when_the_round_is_over() {
        assert_eq!(of(&game(), false), Outcome::Open);
        assert_eq!(of(&game(), true), Outcome::Missed);
        for (has_tried, expected) in [
            ([true, false], Outcome::Won(Seat::First)),
            ([false, true], Outcome::Won(Seat::Second)),
            ([true, true], Outcome::Missed),
        ] {
            let game = OpenGame {
                has_tried,
                ..game()
            };
            assert_eq!(of(&game, false), Outcome::Open);
            assert_eq!(of(&game, true), expected);
        }
    }

    #[test]
    fn a_game_begins_once_both_have_come_and_waits_a_while_for_one() {
        let agreed = OpenGame {
            is_agreed: true,
            ..game()
        };
        // Whoever has said before to be here waits for the time, also when the round is over.
        let early = OpenGame {
            came: [true; 2],
            ..agreed.clone()
        };
        assert_eq!(of(&early, true), Outcome::Open);
        let cases = [
            ([true, true], Outcome::Begins, Outcome::Begins),
            ([true, false], Outcome::Open, Outcome::Won(Seat::First)),
            ([false, true], Outcome::Open, Outcome::Won(Seat::Second)),
            ([false, false], Outcome::Open, Outcome::Missed),
        ];
        for (came, now, later) in cases {
            let due = OpenGame {
                is_due: true,
                came,
                ..agreed.clone()
            };
            assert_eq!(of(&due, true), now);
            let over = OpenGame {
                is_over: true,
                ..due
            };
            assert_eq!(of(&over, false), later);
        }
    }

    #[test]
    fn who_plays_elsewhere_is_waited_for_as_who_has_not_come() {
        assert_eq!(begins([true, true], true), Outcome::Begins);
        assert_eq!(begins([true, false], false), Outcome::Open);
        assert_eq!(begins([true, false], true), Outcome::Won(Seat::First));
        assert_eq!(begins([false, false], true), Outcome::Missed);
    }

    #[test]
    fn who_leaves_early_leaves_no_points() {
        // The first has played nothing, the second two of three games.
        let mut left = OpenGame {
            takes_part: [false, true],
            ..game()
        };
        assert_eq!(of(&left, false), Outcome::Free(Seat::Second));
        left.takes_part = [true, false];
        assert_eq!(of(&left, false), Outcome::Won(Seat::First));
        left.takes_part = [false, false];
        assert_eq!(of(&left, false), Outcome::Gone);
    }
}
