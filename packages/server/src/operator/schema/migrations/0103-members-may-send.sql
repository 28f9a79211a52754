-- Lists restricted to their members, which the list of senders can't express.
alter table directory_objects add column members_may_send boolean not null default false;
