-- All finished games in the order in which they ended, for programs that read them page by page. An aborted match has no winner.
create index matches_archive on matches (finished_at, id) where finished_at is not null and winner is not null;
