-- Lists that only their members may send to, which the list of senders can't say.
alter table directory_objects add column members_may_send boolean not null default false;
