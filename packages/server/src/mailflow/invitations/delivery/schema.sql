-- What organizers cancelled or resources declined, because a calendar doesn't tell: an older invitation that
-- arrives late, or is sent again by someone else, must not bring it back.
create table calendar_cancellations (
  user_id bigint references users on delete cascade,
  uid text not null,
  -- the cancelled occurrence; null: everything
  recurrence timestamptz,
  is_following boolean not null,
  -- the revision that was cancelled (RFC 5546)
  sequence bigint not null,
  stamp timestamptz not null,
  kept_at timestamptz not null,
  -- whose calendar: a user's or a resource's
  resource_id bigint references directory_objects on delete cascade,
  unique nulls not distinct (user_id, resource_id, uid, recurrence, is_following),
  check (num_nonnulls(user_id, resource_id) = 1)
);

create index calendar_cancellations_kept on calendar_cancellations (kept_at);
create index calendar_cancellations_resource on calendar_cancellations (resource_id, uid)
  where resource_id is not null;
