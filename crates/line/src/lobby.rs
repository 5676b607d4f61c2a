//! Requests outside a game: login, the list of games, creating and joining a game.

use crate::board::is_served;
use crate::client::{Client, Ended, LoggedIn, line_error};
use crate::message::{LineError, Message, fits, fitted};
use crate::phase::Phase;
use crate::registry::Registered;
use tochki_play::{ClockRule, Terms};
use tochki_protocol::limits::{LINE_GAME_NAME_MAX_CHARS, NAME_MAX_CHARS};
use tochki_protocol::{Account, Code, RatingBounds, Table};
use tochki_rules::{GameKind, Setup, boxes};
use tochki_server::Error;
use tochki_server::accounts::LineClient;
use tochki_server::accounts::db::line_connections;
use tochki_server::matches::db::running_match;
use tochki_server::presence::place::Place;
use tochki_server::secrets::random_u64;
use tokio::sync::OwnedSemaphorePermit;

/// The phase in which a reconnected client continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ReconnectState {
    Login = 0,
    Lobby = 1,
    Game = 2,
}

impl Client {
    pub(crate) async fn log_in(&mut self, name: &str, token: Option<&str>) -> Result<(), Ended> {
        if !fits(name, NAME_MAX_CHARS) {
            self.push(&Message::Error(LineError::Invalid));
            return Ok(());
        }
        let Some(permit) = self.registry.player_permit() else {
            self.push(&Message::Error(LineError::Limit));
            return Ok(());
        };
        let found = match token {
            Some(token) => self.account_of(name, token).await,
            None => self.new_guest(name).await,
        };
        let line = match found {
            Ok(line) => line,
            Err(error) => return self.refuse(error),
        };
        let Some(registered) = self.registry.enter(line.caller.account.id) else {
            self.push(&Message::Error(LineError::NameTaken));
            return Ok(());
        };
        if !self.connect(&registered).await? {
            self.push(&Message::Error(LineError::NameTaken));
            return Ok(());
        }
        self.enter(line, registered, Some(permit)).await?;
        self.push(&Message::Ok);
        Ok(())
    }

    async fn new_guest(&self, name: &str) -> Result<LineClient, Error> {
        let (app, client) = (&self.app, &self.address);
        app.capacity.check_player(None).await?;
        app.accounts.line_guest(client, name).await
    }

    /// Returns the account of a token. Its name is sent as the protocol can carry it.
    async fn account_of(&self, name: &str, token: &str) -> Result<LineClient, Error> {
        let (app, client) = (&self.app, &self.address);
        let line = app.accounts.line_account(token).await?;
        let account = &line.caller.account;
        if !fitted(&account.name).eq_ignore_ascii_case(name) {
            return Err(Code::BadToken.into());
        }
        app.capacity.check_player(Some(account.id)).await?;
        app.sanctions.note(account.id, client.address).await?;
        Ok(line)
    }

    /// Stores the connection, unless the player has a live connection at another instance.
    async fn connect(&self, registered: &Registered) -> Result<bool, Error> {
        let address = self.address.address.to_string();
        let (player, connection) = (registered.player, registered.connection);
        let connected =
            line_connections::connect(&self.app.db, player, connection, &address).await?;
        if connected {
            registered.set_stored();
        }
        Ok(connected)
    }

    async fn enter(
        &mut self,
        line: LineClient,
        registered: Registered,
        permit: Option<OwnedSemaphorePermit>,
    ) -> Result<(), Error> {
        let app = &self.app;
        let account = line.caller.account.clone();
        let here = Place::LineProtocol(GameKind::Boxes);
        self.player = Some(LoggedIn {
            registered,
            line,
            _here: app.presence.join(account.id, here).await?,
            account,
            _permit: permit,
        });
        self.phase = Phase::Lobby;
        Ok(())
    }

    pub(crate) async fn reconnect(&mut self, name: &str, token: Option<&str>) -> Result<(), Ended> {
        let state = match self.resume_session(name, token).await {
            Ok(state) => state,
            // A refused client logs in; a client whose table has just closed is in the lobby.
            Err(error) => {
                line_error(error)?;
                match self.player {
                    Some(_) => ReconnectState::Lobby,
                    None => ReconnectState::Login,
                }
            }
        };
        self.push(&Message::OkWith(vec![(state as u8).to_string()]));
        Ok(())
    }

    async fn resume_session(
        &mut self,
        name: &str,
        token: Option<&str>,
    ) -> Result<ReconnectState, Error> {
        let accounts = self.app.accounts.clone();
        let known = match token {
            Some(token) => Some(self.account_of(name, token).await?),
            None => None,
        };
        let id = known.as_ref().map(|line| line.caller.account.id);
        let Some(recent) = accounts.recent_line_client(id, name).await? else {
            return Ok(ReconnectState::Login);
        };
        let same_address = recent.address == self.address.address.to_string();
        if known.is_none() && !(recent.account.guest && same_address) {
            return Ok(ReconnectState::Login);
        }
        let account = recent.account;
        let mut registered = self.registry.enter(account.id);
        if registered.is_none() {
            // Whoever asks again and again would hit a moment in which a living connection is slow.
            if !accounts.may_probe_line(account.id).await? {
                return Ok(ReconnectState::Login);
            }
            // The old connection may be dead without the server knowing it.
            let silence = self.app.settings.line_probe_timeout;
            if let Some(silent) = self.registry.probe(account.id, silence).await {
                line_connections::lose(&self.app.db, account.id, silent).await?;
            }
            registered = self.registry.enter(account.id);
        }
        let Some(registered) = registered else {
            return Ok(ReconnectState::Login);
        };
        if !self.connect(&registered).await? {
            return Ok(ReconnectState::Login);
        }
        let line = match known {
            Some(line) => line,
            None => {
                accounts
                    .line_guest_again(&self.address, account.clone())
                    .await?
            }
        };
        let permit = self.registry.player_permit();
        self.enter(line, registered, permit).await?;
        self.resume(&account, recent.lately).await
    }

    /// Goes back to the running match, or to the table at which the player was waiting a moment ago.
    async fn resume(&mut self, account: &Account, lately: bool) -> Result<ReconnectState, Error> {
        let app = self.app.clone();
        if let Some(own) = running_match(&app.db, account.id).await? {
            let resumed = self.resume_match(account, own.match_id).await?;
            return Ok(if resumed {
                ReconnectState::Game
            } else {
                ReconnectState::Lobby
            });
        }
        if let Some(table) = app.tables.of_player(account).await?
            && is_game(&table)
        {
            if lately && table.seated_player(account.id).is_some() {
                self.wait_at(account, &table, None).await?;
                return Ok(ReconnectState::Game);
            }
            if account.guest {
                match app.tables.stand_up(account, table.id).await {
                    Err(error) if error.failure().is_some() => return Err(error),
                    _ => {}
                }
            }
        }
        Ok(ReconnectState::Lobby)
    }

    pub(crate) async fn load(&mut self) -> Result<(), Ended> {
        let player = self.account()?.id;
        let tables = self.app.tables.listed(GameKind::Boxes, player);
        let tables = tables.await?;
        let creators: Vec<i64> = games(&tables).map(|table| table.creator.id.0).collect();
        let lost = line_connections::lost(&self.app.db, &creators).await?;
        let games = named_games(&tables).filter(|table| !lost.contains(&table.creator.id.0));
        let games = games.map(|table| table.name.clone());
        let answer = Message::OkWith(games.collect());
        self.push(&answer);
        Ok(())
    }

    pub(crate) async fn create(&mut self, name: &str) -> Result<(), Ended> {
        if !fits(name, LINE_GAME_NAME_MAX_CHARS) {
            self.push(&Message::Error(LineError::Invalid));
            return Ok(());
        }
        let Some(permit) = self.registry.create_game() else {
            self.push(&Message::Error(LineError::Limit));
            return Ok(());
        };
        let (app, account) = (self.app.clone(), self.account()?);
        let _creating = self.registry.creating().await;
        let tables = app.tables.listed(GameKind::Boxes, account.id).await?;
        if games(&tables).any(|table| table.name == name) {
            self.push(&Message::Error(LineError::NameTaken));
            return Ok(());
        }
        let terms = Terms {
            setup: Setup::Boxes(boxes::Setup::DEFAULT),
            clock: ClockRule::None,
            rated: !account.guest,
        };
        let random = &mut random_u64;
        let created = app.tables.create(
            &account,
            &self.address,
            name,
            &terms,
            RatingBounds::default(),
            random,
        );
        match created.await {
            Ok(table) => {
                self.push(&Message::Ok);
                self.wait_at(&account, &table, Some(permit)).await?;
                Ok(())
            }
            Err(error) => self.refuse(error),
        }
    }

    pub(crate) async fn join(&mut self, name: &str) -> Result<(), Ended> {
        let (app, account) = (self.app.clone(), self.account()?);
        let tables = app.tables.listed(GameKind::Boxes, account.id).await?;
        let Some(found) = named_games(&tables).find(|table| table.name == name) else {
            let full = app.tables.full(GameKind::Boxes, name).await?;
            let is_full = fits(name, LINE_GAME_NAME_MAX_CHARS) && full.iter().any(is_game);
            self.push(&Message::Error(if is_full {
                LineError::Limit
            } else {
                LineError::Invalid
            }));
            return Ok(());
        };
        // The player's own table, of another window, is no game to join.
        if found.creator.id == account.id {
            self.push(&Message::Error(LineError::InGame));
            return Ok(());
        }
        let table = match app
            .tables
            .sit(
                &account,
                &self.address,
                found.id,
                None,
                false,
                &mut random_u64,
            )
            .await
        {
            Ok(table) => table,
            Err(error) => return self.refuse(error),
        };
        let other = |seat: &&tochki_protocol::SeatedPlayer| seat.id != account.id;
        let opponent = table.seated_players().find(other);
        let opponent = opponent.map_or(&table.creator.name, |seat| &seat.name);
        self.push(&Message::OkWith(vec![fitted(opponent)]));
        let lost = line_connections::lost(&app.db, &[table.creator.id.0]).await?;
        if !lost.is_empty() {
            // The game begins when its creator is back.
            self.push(&Message::OpponentLeft);
        }
        self.wait_at(&account, &table, None).await?;
        Ok(())
    }
}

/// Returns whether a table is one of this protocol, if its name is, too.
pub(crate) fn is_game(table: &Table) -> bool {
    is_served(table.setup) && table.clock == ClockRule::None
}

/// Returns the tables that have a free seat.
fn games(tables: &[Table]) -> impl Iterator<Item = &Table> {
    tables
        .iter()
        .filter(|table| is_game(table) && table.has_free_seat())
}

/// Returns the tables whose names fit the alphabet, of several with one name the oldest: a table that somebody opens later, with
/// whatever name, hides no game.
fn named_games(tables: &[Table]) -> impl Iterator<Item = &Table> {
    games(tables).filter(|table| {
        let older = |other: &Table| other.name == table.name && other.id < table.id;
        fits(&table.name, LINE_GAME_NAME_MAX_CHARS) && !games(tables).any(older)
    })
}
