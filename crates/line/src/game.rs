//! Requests and changes in a game: waiting for an opponent, playing, leaving, reconnecting.

use crate::board;
use crate::client::{Client, Ended, line_error};
use crate::message::{End, LineError, Message};
use crate::phase::{Change, Phase, Playing, Waiting};
use crate::registry::GamePermit;
use crate::state::State;
use std::sync::Arc;
use tochki_play::{Command, Event};
use tochki_protocol::{Account, Code, MatchId, Table, limits};
use tochki_rules::boxes::{Boxes, Line, Setup};
use tochki_rules::{Game as _, Seat};
use tochki_server::accounts::db::line_connections;
use tochki_server::matches::db::events_after;
use tochki_server::matches::{LiveMatch, PublishedEvent};
use tochki_server::presence::place::Place;
use tochki_server::secrets::random_u64;
use tochki_server::{Error, LogFailure as _};
use tokio::sync::broadcast::error::TryRecvError;

impl Client {
    pub(crate) async fn changed(&mut self, change: Change) -> Result<(), Ended> {
        match change {
            Change::Table => self.table_changed().await?,
            Change::Event(event) => self.published(event).await?,
            Change::Missed => self.read_missed().await?,
            Change::Status => self.status_changed(),
        }
        Ok(())
    }

    /// Waits at a table where the player has a seat.
    pub(crate) async fn wait_at(
        &mut self,
        account: &Account,
        table: &Table,
        permit: Option<GamePermit>,
    ) -> Result<(), Error> {
        let app = &self.app;
        let (id, mut watch) = app.tables.watch(&table.link).await?;
        watch.mark_changed();
        self.phase = Phase::Waiting(Waiting {
            id,
            link: table.link.clone(),
            table: watch,
            agreed: None,
            _here: app.presence.join(account.id, Place::Table(id)).await?,
            _permit: permit,
        });
        Ok(())
    }

    /// Handles a change of the table. A client of this protocol is always ready, for the game as it is when the opponent has sat
    /// down; and when the match has started, it is told. A game that becomes another one, such as a rated one because a guest
    /// makes an account, is left: a client of this protocol cannot be asked.
    async fn table_changed(&mut self) -> Result<(), Error> {
        let (app, account) = (self.app.clone(), self.account()?);
        let Phase::Waiting(waiting) = &mut self.phase else {
            return Ok(());
        };
        let table = waiting.table.borrow_and_update().table.clone();
        let before = waiting.agreed;
        if let Some(id) = table.match_id
            && self.begin_match(&account, id).await?
        {
            return Ok(());
        }
        match table.seated_player(account.id) {
            Some(seat) if !table.closed => {
                let opponent = table.seated_players().find(|seat| seat.id != account.id);
                if let Some(opponent) = opponent
                    && !seat.ready
                {
                    let game = (opponent.id, table.rated);
                    let is_another =
                        before.is_some_and(|before| before.0 == game.0 && before.1 != game.1);
                    if let Phase::Waiting(waiting) = &mut self.phase {
                        waiting.agreed = Some(game);
                    }
                    let ready = if is_another {
                        Err(Code::TermsChanged.into())
                    } else {
                        let agreement = Some(&*table.agreement);
                        let random = &mut random_u64;
                        let tables = &app.tables;
                        tables
                            .ready(&account, table.id, true, agreement, random)
                            .await
                    };
                    // A departure or a change meanwhile is told by the next change.
                    if let Err(error) = ready {
                        let no_match = is_another
                            || matches!(error.code(), Code::AbortCooldown | Code::MatchesFull);
                        line_error(error)?;
                        if no_match {
                            let left = app.tables.stand_up(&account, table.id).await;
                            left.or_else(|error| line_error(error).map(drop))?;
                            self.push(&Message::End(End::Draw));
                            self.phase = Phase::Lobby;
                        }
                    }
                }
            }
            // The table was closed, or its creator has removed the player.
            _ => {
                self.push(&Message::End(End::Draw));
                self.phase = Phase::Lobby;
            }
        }
        Ok(())
    }

    /// Tells the client a match from its beginning. False if it is not the player's.
    async fn begin_match(&mut self, account: &Account, id: MatchId) -> Result<bool, Error> {
        let Some(playing) = self.attach(account, id).await? else {
            return Ok(false);
        };
        let opponent = playing.opponent();
        self.push(&opponent);
        self.push_turn(playing.boxes.to_move(), playing.me);
        self.phase = Phase::Playing(playing);
        // The opponent's actions so far.
        self.read_missed().await?;
        Ok(true)
    }

    /// Goes on with a match where it stands. False if this protocol cannot tell it.
    pub(crate) async fn resume_match(
        &mut self,
        account: &Account,
        id: MatchId,
    ) -> Result<bool, Error> {
        let Some(mut playing) = self.attach(account, id).await? else {
            return Ok(false);
        };
        let game = playing.live.game().await;
        let Some(boxes) = board::position(&game) else {
            return Ok(false);
        };
        if game.result().is_some() {
            return Ok(false);
        }
        playing.boxes = boxes.clone();
        playing.version = game.version();
        let (live, me) = (playing.live.clone(), playing.me);
        self.phase = Phase::Playing(playing);
        if game.offer().is_some_and(|offer| offer.seat != me) {
            decline(&live, me, None).await?;
        }
        Ok(true)
    }

    /// Attaches the client to a match before its first event.
    async fn attach(&self, account: &Account, id: MatchId) -> Result<Option<Box<Playing>>, Error> {
        let app = &self.app;
        let live = app.matches.get(id).await?;
        let Some(me) = live.seat_of(account.id) else {
            return Ok(None);
        };
        if !board::is_served(live.terms().setup) {
            return Ok(None);
        }
        let events = live.subscribe();
        live.catch_up().await?;
        let here = app.presence.join(account.id, Place::Match(id)).await?;
        live.refresh_status().await?;
        let mut status = live.subscribe_to_status();
        status.mark_changed();
        Ok(Some(Box::new(Playing {
            live,
            me,
            events,
            status,
            boxes: Boxes::new(&Setup::DEFAULT),
            version: 0,
            opponent_away: false,
            here: Some(here),
            _permit: self.registry.in_match(id),
        })))
    }

    /// Notes that the client has not answered a ping. In a game it may come back, here or with another connection.
    pub(crate) async fn mark_unresponsive(&mut self) -> Result<(), Ended> {
        let Phase::Playing(playing) = &mut self.phase else {
            return Err(Ended::Gone);
        };
        playing.here = None;
        if let Some(player) = &self.player {
            let registered = &player.registered;
            // A connection that takes the place finds it free in the database, too.
            line_connections::lose(&self.app.db, registered.player, registered.connection).await?;
            registered.set_unresponsive(true);
        }
        Ok(())
    }

    /// Lets an unresponsive client that has sent a line return, unless another connection has taken its place.
    pub(crate) async fn return_to_match(&mut self) -> Result<(), Ended> {
        let account = self.account()?;
        if let Some(player) = &self.player {
            let registered = &player.registered;
            registered.set_unresponsive(false);
            if !line_connections::resume(&self.app.db, registered.player, registered.connection)
                .await?
            {
                return Err(Ended::Gone);
            }
        }
        if let Phase::Playing(playing) = &mut self.phase {
            let place = Place::Match(playing.live.id());
            playing.here = Some(self.app.presence.join(account.id, place).await?);
        }
        Ok(())
    }

    async fn published(&mut self, published: PublishedEvent) -> Result<(), Error> {
        let Phase::Playing(playing) = &self.phase else {
            return Ok(());
        };
        if published.version <= playing.version {
            return Ok(());
        }
        if published.version > playing.version + 1 {
            return self.read_missed().await;
        }
        self.apply_event(published.version, &published.event).await
    }

    /// Reads the events since the version that the client has.
    async fn read_missed(&mut self) -> Result<(), Error> {
        while let Phase::Playing(playing) = &self.phase {
            let id = playing.live.id();
            let app = &self.app;
            let missed = events_after(
                &app.db,
                id,
                playing.version,
                limits::MISSED_EVENTS_BATCH_LEN,
            )
            .await?;
            if missed.is_empty() {
                return Ok(());
            }
            for stored in missed {
                self.apply_event(stored.version, &stored.read(id)?).await?;
            }
        }
        Ok(())
    }

    /// Tells the client of the next event.
    async fn apply_event(&mut self, version: u32, event: &Event) -> Result<(), Error> {
        let Phase::Playing(playing) = &mut self.phase else {
            return Ok(());
        };
        playing.version = version;
        let me = playing.me;
        match event {
            Event::Moved {
                seat, mv, to_move, ..
            } => {
                let line: Line = mv.parse().map_err(|_| Code::BrokenRecord)?;
                let told = board::told_of(&playing.boxes, *seat, line, me);
                let played = playing.boxes.play_as(*seat, line);
                played.map_err(|_| Code::BrokenRecord)?;
                for message in &told {
                    self.push(message);
                }
                self.push_turn(*to_move, me);
            }
            Event::Offered { seat, .. } if *seat != me => {
                let live = playing.live.clone();
                decline(&live, me, Some(version)).await?;
            }
            // Possible for an account that agrees to it in a browser.
            Event::TakenBack { count, .. } => {
                for _ in 0..*count {
                    playing.boxes.undo();
                }
                let to_move = playing.boxes.to_move();
                self.push_turn(to_move, me);
            }
            Event::Finished { result } => {
                let (live, is_here) = (playing.live.clone(), playing.here.is_some());
                self.push(&board::end(result, me));
                self.phase = Phase::Lobby;
                // It has left the match by that, and knows the end.
                if is_here {
                    let player = live.players()[me.index()];
                    let noted = self.app.notifications.mark_match_read(player, live.id());
                    let noted = noted.await;
                    noted.log_failure("noting that a client has been told of the end");
                }
            }
            // Possible for such an account, too. The game goes on in a browser, and is over here without a winner.
            Event::Adjourned { .. } => {
                self.push(&Message::End(End::Draw));
                self.phase = Phase::Lobby;
            }
            Event::Offered { .. }
            | Event::OfferClosed { .. }
            | Event::Sealed { .. }
            | Event::Resumed { .. }
            | Event::Berserked { .. }
            | Event::VacationChanged { .. } => {}
        }
        Ok(())
    }

    fn status_changed(&mut self) {
        let Phase::Playing(playing) = &mut self.phase else {
            return;
        };
        let (away, finished) = {
            let update = playing.status.borrow_and_update();
            let gone_at = update.status.gone_at[playing.me.other().index()];
            (gone_at.is_some(), update.finished)
        };
        if finished || away == playing.opponent_away {
            return;
        }
        playing.opponent_away = away;
        let message = if away {
            Message::OpponentLeft
        } else {
            playing.opponent()
        };
        self.push(&message);
    }

    pub(crate) fn sync(&mut self) {
        let (answer, turn) = match &self.phase {
            Phase::Playing(playing) => (
                board::sync(Some(&playing.boxes), playing.me),
                board::turn(playing.boxes.to_move(), playing.me),
            ),
            _ => (board::sync(None, Seat::First), None),
        };
        self.push(&answer);
        if let Some(turn) = turn {
            self.push(&turn);
        }
    }

    pub(crate) async fn turn(&mut self, x: u8, row: u8) -> Result<(), Ended> {
        for _ in 0..limits::LINE_MOVE_MAX_ATTEMPTS {
            let Phase::Playing(playing) = &self.phase else {
                break;
            };
            if playing.state() != State::OnTurn {
                break;
            }
            let Some(line) = board::free_line(&playing.boxes, x, row) else {
                self.push(&Message::Error(LineError::Invalid));
                return Ok(());
            };
            let arrival = self.app.matches.arrived(playing.live.id());
            let command = Command::Move {
                seat: playing.me,
                mv: line.to_string(),
                version: Some(playing.version),
                client_id: None,
            };
            match playing.live.command_received(command, arrival).await {
                Ok(_) => {
                    self.push(&Message::Ok);
                    return Ok(());
                }
                // The board has changed, or the match has ended, and the client will hear of it first.
                Err(error)
                    if matches!(
                        error.code(),
                        Code::Stale | Code::NotYourTurn | Code::Finished
                    ) =>
                {
                    self.send_pending_events().await?;
                }
                Err(error) => return self.refuse(error),
            }
        }
        let error = match self.phase.state() {
            State::OpponentsTurn | State::OnTurn | State::Waiting => LineError::NotOnTurn,
            State::Login | State::Lobby => LineError::NotInGame,
        };
        self.push(&Message::Error(error));
        Ok(())
    }

    /// Gives up a running game, or the seat in a game that has not begun. A player who leaves hears nothing more of it.
    pub(crate) async fn leave(&mut self) -> Result<(), Ended> {
        let (app, account) = (self.app.clone(), self.account()?);
        let left = match &self.phase {
            Phase::Playing(playing) => leave_match(&playing.live, playing.me).await?,
            Phase::Waiting(waiting) => {
                let (id, link) = (waiting.id, waiting.link.clone());
                if let Err(error) = app.tables.stand_up(&account, id).await {
                    line_error(error)?;
                    // The match has started just now.
                    let table = app.tables.table(&link).await?;
                    if let Some(id) = table.match_id {
                        let live = app.matches.get(id).await?;
                        if let Some(me) = live.seat_of(account.id) {
                            leave_match(&live, me).await?;
                        }
                    }
                }
                true
            }
            Phase::Login | Phase::Lobby => false,
        };
        if left {
            self.phase = Phase::Lobby;
            self.push(&Message::Ok);
        } else {
            // It has ended already, and the client hears that first.
            self.send_pending_events().await?;
            self.push(&Message::Error(LineError::NotInGame));
        }
        Ok(())
    }

    /// Tells the client all events that have been published.
    async fn send_pending_events(&mut self) -> Result<(), Error> {
        while let Phase::Playing(playing) = &mut self.phase {
            match playing.events.try_recv() {
                Ok(event) => self.published(event).await?,
                Err(TryRecvError::Lagged(_)) => self.read_missed().await?,
                Err(TryRecvError::Empty | TryRecvError::Closed) => return Ok(()),
            }
        }
        Ok(())
    }

    fn push_turn(&mut self, to_move: Option<Seat>, me: Seat) {
        if let Some(turn) = board::turn(to_move, me) {
            self.push(&turn);
        }
    }
}

/// Resigns, or aborts a match that has not begun. False if it has ended already.
async fn leave_match(live: &Arc<LiveMatch>, me: Seat) -> Result<bool, Error> {
    match live.command(Command::Leave { seat: me }).await {
        Ok(_) => Ok(true),
        Err(error) if error.code() == Code::Finished => Ok(false),
        Err(error) => Err(error),
    }
}

/// Declines an offer of a browser, unless it is closed already.
async fn decline(live: &Arc<LiveMatch>, me: Seat, offer: Option<u32>) -> Result<(), Error> {
    let command = Command::AnswerOffer {
        seat: me,
        accept: false,
        offer,
    };
    match live.command(command).await {
        Err(error) if error.failure().is_some() => Err(error),
        _ => Ok(()),
    }
}
