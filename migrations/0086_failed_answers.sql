-- How often in a row the step of a player's conditional moves that is due could not be taken. Each failure makes the step due later,
-- so that matches that cannot be read hold up no others.
alter table conditional_moves add column failures integer not null default 0;
