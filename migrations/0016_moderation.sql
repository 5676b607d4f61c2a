-- Whom nobody may pester, who the operators are, and what a sanction holds for.

-- How many challenges a player has got of late.
create index challenges_got on challenges (to_id, created_at);
