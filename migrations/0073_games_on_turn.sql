-- The games of a player that are running, those on turn first.

-- The seat that is to move; null after the end, and in matches that a release before this one has changed last.
alter table matches add column to_move smallint;
alter table matches alter column to_move set default 1;

create index matches_running_of_seat1 on matches (seat1) where finished_at is null;
create index matches_running_of_seat2 on matches (seat2) where finished_at is null;
