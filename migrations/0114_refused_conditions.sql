-- Lines of conditional moves that were refused stay in the form: a page without scripts has no other place for them. Lines that are
-- accepted take their place.
alter table conditional_moves add column refused text;
