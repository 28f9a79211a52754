-- The quota is stored next to what is used, so that lists and the dashboard find full mailboxes.
alter table mailbox_usage add column quota bigint;

-- the dashboard looks for the few mailboxes that are full or nearly full
create index mailbox_usage_nearly_full on mailbox_usage (user_id) where used * 10 >= quota * 9;
