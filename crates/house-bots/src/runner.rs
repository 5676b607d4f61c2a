//! The runner of all house bots, while this instance has the lease.

use crate::bot::{Bot, Shared};
use crate::load::Load;
use crate::search_pool::SearchPool;
use futures::FutureExt as _;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Instant;
use tochki_engine::Level;
use tochki_protocol::limits;
use tochki_server::secrets::random_u64;
use tochki_server::{AppState, Error, LogFailure as _};
use tokio::task::JoinSet;
use tokio::time::{MissedTickBehavior, interval};

/// Lets the bots play, if the settings say so, until the arena shuts down.
pub fn start(app: &AppState) {
    if !app.settings.house_bots {
        return;
    }
    // One name for the whole process, so that a task that is started again need not wait for its own lease.
    let holder: Arc<str> = format!("{:016x}", random_u64()).into();
    let (tasks, app) = (app.tasks.clone(), app.clone());
    tasks.spawn("house bots", move || run(app.clone(), holder.clone()));
}

async fn run(app: AppState, holder: Arc<str>) {
    let shutdown = app.tasks.shutdown();
    let mut renewal = interval(limits::HOUSE_BOT_LEASE_RENEWAL);
    renewal.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut runner = None;
    let mut leased = Instant::now();
    let mut rated = Instant::now();
    loop {
        tokio::select! {
            () = shutdown.cancelled() => break,
            _ = renewal.tick() => {}
        }
        // From before the statement: the database counts from a later moment.
        let asked = Instant::now();
        match app.lease_house_bots(&holder).await {
            Ok(true) => {
                leased = asked;
                if runner.is_none() {
                    let opened = BotRunner::open(&app).await;
                    runner = opened.log_failure("starting the house bots");
                }
                if let Some(runner) = &mut runner {
                    runner.replace_ended();
                }
                // It was asked whether that is due when the runner was opened, too.
                if rated.elapsed() >= limits::CLEANUP_INTERVAL {
                    rated = Instant::now();
                    let fitted = app.rate_house_bots().await;
                    fitted.log_failure("rating the house bots");
                }
            }
            Ok(false) => runner = None,
            // A move that two instances make is one move, so until the lease ends it is better to go on.
            failed => {
                failed.log_failure("renewing the lease of the house bots");
                if leased.elapsed() >= limits::HOUSE_BOT_LEASE {
                    runner = None;
                }
            }
        }
    }
    drop(runner);
    let released = app.release_house_bots(&holder).await;
    released.log_failure("releasing the lease of the house bots");
}

/// The running bots, which stop when this is dropped.
struct BotRunner {
    bots: Vec<Bot>,
    tasks: JoinSet<usize>,
}

impl BotRunner {
    async fn open(app: &AppState) -> Result<Self, Error> {
        let settings = &app.settings;
        let shared = Arc::new(Shared {
            app: app.clone(),
            search_pool: SearchPool::start(settings.house_bot_threads),
            load: Load::new(settings.house_bot_games),
            min_time: settings.house_bot_min_move_time,
        });
        let accounts = app.house_bots().await?;
        let bots: Vec<Bot> = (accounts.into_iter())
            .filter_map(|bot| {
                Some(Bot {
                    shared: shared.clone(),
                    account: bot.account,
                    game: bot.game,
                    level: Level::new(bot.level).ok()?,
                })
            })
            .collect();
        let mut runner = Self {
            tasks: JoinSet::new(),
            bots,
        };
        for place in 0..runner.bots.len() {
            runner.spawn(place);
        }
        tracing::info!(bots = runner.bots.len(), "running the house bots");
        Ok(runner)
    }

    fn spawn(&mut self, place: usize) {
        let bot = self.bots[place].clone();
        self.tasks.spawn(async move {
            // A bot that panics is started again, and keeps no other from playing.
            let _ = AssertUnwindSafe(bot.run()).catch_unwind().await;
            place
        });
    }

    fn replace_ended(&mut self) {
        while let Some(ended) = self.tasks.try_join_next() {
            if let Ok(place) = ended {
                self.spawn(place);
            }
        }
    }
}
