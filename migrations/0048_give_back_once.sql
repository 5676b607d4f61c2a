-- The last suspension whose time is in a row of `outages`, so that the time of one suspension is given back once, however
-- often that is tried.

alter table outages add column suspension bigint;
