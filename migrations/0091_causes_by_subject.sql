-- Who has seen the end of a match says so, perhaps before anybody has looked at its cause.

-- Of each subject the later causes are looked for, and those that are done with are deleted, whether they are kept for a while or not.
create index notification_causes_by_subject on notification_causes (player_id, subject);
drop index notification_causes_held;
