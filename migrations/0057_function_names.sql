-- Functions and views under the field's words. Each old name that the release before uses stays as a wrapper; a migration of the
-- release after this one may drop the wrappers. It may also drop the view `laid_tables` with `seat_json` and `card`: the JSON of
-- open tables is made by types of the program now (`tables/db.rs`).

-- Nobody but triggers calls these two.
alter function note_whom_to_list() rename to update_rating_listed;
alter function ask_whether_to_list() rename to set_rating_listed;

-- How long a player may take to come to a match that the player has never opened.
alter function welcome() rename to arrival_timeout;
create function welcome() returns interval
    language sql immutable return arrival_timeout();

-- Whether a server has written the heartbeat lately. While none has, nothing ends by itself: first the time is given back.
alter function time_is_kept() rename to heartbeat_is_fresh;
create function time_is_kept() returns boolean
    language sql stable return heartbeat_is_fresh();

-- The results of a player that a filter lets through; null filters nothing.
alter function results_that_fit(bigint, text, smallint, text) rename to filter_results;
create function results_that_fit(player bigint, of_game text, of_outcome smallint, opponent text) returns setof results
    language sql stable
    begin atomic
        select * from filter_results(player, of_game, of_outcome, opponent);
    end;

-- The tallies of a player in a game, computed anew from the results that count.
alter function counted_again(bigint, text) rename to recount_tallies;
create function counted_again(player bigint, in_game text) returns setof tallies
    language sql stable
    begin atomic
        select * from recount_tallies(player, in_game);
    end;

-- The absences that the opponent is told of.
alter view away rename to reported_absences;
create view away as select match_id, player_id, since from reported_absences;
