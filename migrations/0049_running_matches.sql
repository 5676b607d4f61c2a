-- The front page shows one of the matches that have begun last.

create index matches_running_by_start on matches (started_at desc) where finished_at is null;
