-- Calendars of users and of resources remember cancellations in one table.
alter table calendar_cancellations alter column user_id drop not null;
alter table calendar_cancellations add column resource_id bigint references directory_objects on delete cascade;
alter table calendar_cancellations drop constraint calendar_cancellations_user_id_uid_recurrence_is_following_key;
alter table calendar_cancellations add unique nulls not distinct
  (user_id, resource_id, uid, recurrence, is_following);
alter table calendar_cancellations add check (num_nonnulls(user_id, resource_id) = 1);
create index calendar_cancellations_resource on calendar_cancellations (resource_id, uid)
  where resource_id is not null;
insert into calendar_cancellations (resource_id, uid, recurrence, is_following, sequence, stamp, kept_at)
  select resource_id, uid, recurrence, is_following, sequence, stamp, kept_at from booking_cancellations;
drop table booking_cancellations;
