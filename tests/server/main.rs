//! The server as its users meet it: real HTTP, real event streams, real Postgres, and players who read nothing but the
//! contract for programs.
//!
//! Each test is a story with an arena and a database of its own. Nothing here waits for a time to pass: a test waits for
//! the thing itself, and gives up on it after a while.

mod app;
mod cluster;
mod player;
mod process;
mod stream;

mod absences;
mod accounts;
mod audience;
mod beat;
mod challenges;
mod chat;
mod crashes;
mod door;
mod games;
mod guests;
mod history;
mod instances;
mod limits;
mod line;
mod membership;
mod moves;
mod offers;
mod open_tables;
mod operator;
mod outages;
mod profile;
mod records;
mod rematches;
mod settings;
mod silence;
mod standings;
mod streams;
mod waiting_page;
mod waiting_room;
mod waiting_rooms;
