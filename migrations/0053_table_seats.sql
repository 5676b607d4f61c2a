-- The seats of open tables under the field's words: the table `seated` is `table_seats`, its column `chair` is `seat_no`.
--
-- Each table that is renamed has a migration, and so a transaction, of its own: each takes one exclusive lock and waits for no
-- other meanwhile.
alter table seated rename to table_seats;
alter table table_seats rename column chair to seat_no;

-- For the release before, which reads and writes seats under the old names. A migration of the release after this one may drop it.
create view seated as
    select table_id, seat_no as chair, player_id, ready, seen_at, agreed from table_seats;
