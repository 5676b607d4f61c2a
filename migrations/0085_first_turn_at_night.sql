-- By how much later the first turn of a match ends than its clock says, because of the night of the player on turn. Those of the other
-- turns are in `match_events`. The release before does not write it.
alter table matches add column first_grace_ms bigint;
