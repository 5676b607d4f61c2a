-- The last finished matches of a game, which its waiting room lists. An aborted match has no winner.
create index matches_just_finished on matches (game, finished_at desc) where finished_at is not null and winner is not null;
