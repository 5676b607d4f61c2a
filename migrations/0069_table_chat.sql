-- Messages of open tables at which no match began, which are deleted like those of the waiting rooms when they are old. Those of
-- the two who begin a match become messages of the match.
create index messages_of_tables_by_time on messages (at) where place like 'table:%';
