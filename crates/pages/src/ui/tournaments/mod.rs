//! Tournaments: the calendar, the page of each, and the form that makes one; leagues. The server renders all of it, without islands;
//! `public/tournament.js` keeps the page of a tournament up to date.

mod actions;
mod appointment;
mod boards;
mod bracket;
mod calendar;
mod crosstable;
mod draft;
mod form;
mod games;
mod league;
mod leagues;
mod manage;
mod page;
mod reminder;
mod rounds;
mod rules;
mod series;
mod standings;
mod summary;

pub(crate) use calendar::TournamentsPage;
pub use draft::{FilledForm, FormatDraft, TournamentDraft};
pub(crate) use form::NewTournamentPage;
pub(crate) use league::LeaguePage;
pub(crate) use leagues::LeaguesPage;
pub(crate) use page::TournamentPage;
