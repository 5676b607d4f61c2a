//! The server as its clients use it: real HTTP, real event streams and a real Postgres, by the contract in `docs/api.md`.
//!
//! Each test has a server and a database of its own. No test sleeps for a fixed time: it waits for a condition and fails
//! after a timeout.

mod app;
mod authenticator;
mod cluster;
mod database_proxy;
mod player;
mod process;
mod sse_client;

mod absences;
mod accounts;
mod annulments;
mod bots;
mod capacity;
mod challenge_concurrency;
mod challenge_limits;
mod challenges;
mod chat;
mod crashes;
mod database_outages;
mod fair_play;
mod games;
mod guards;
mod guessing;
mod guests;
mod guests_shown;
mod heartbeat;
mod history;
mod house;
mod http;
mod instances;
mod json_bodies;
mod json_lines;
mod limits;
mod lobby;
mod lobby_chat;
mod lobby_games;
mod lobby_page;
mod match_end;
mod match_stream;
mod membership;
mod moves;
mod my_data;
mod names;
mod offers;
mod operator;
mod passkeys;
mod permissions;
mod personal_stream;
mod profile;
mod provisional;
mod recovery;
mod rematches;
mod sanctions;
mod server_downtime;
mod sessions;
mod settings;
mod sgf;
mod spectators;
mod standings;
mod table_concurrency;
mod table_presence;
mod tables;
mod tokens;
