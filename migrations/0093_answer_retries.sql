-- The time before which a step of conditional moves that is due is not looked for again: it could not be taken, or an offer of the
-- opponent is open. The step stays due since when it was, so that its owner is not charged for the wait. The release before looks by
-- `due_at` alone.
alter table conditional_moves add column retry_at timestamptz;

create index conditional_moves_next on conditional_moves (greatest(due_at, retry_at)) where due_at is not null;
