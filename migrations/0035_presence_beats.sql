-- A beat changes nothing that is in an index, and each page has room for the new rows: so a beat is an update within its page
-- (HOT). There is a row for each open page, and the few that have expired are found by reading them all.
drop index presence_by_beat;
drop index audiences_by_beat;
alter table presence set (fillfactor = 50);
alter table audiences set (fillfactor = 50);
