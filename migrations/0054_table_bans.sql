-- The players who may not sit at a table again: `kept_away` is `table_bans`.
alter table kept_away rename to table_bans;
alter index kept_away_players rename to table_bans_of_player;

-- For the release before. A migration of the release after this one may drop it.
create view kept_away as select table_id, player_id from table_bans;
