-- What organizers cancelled, because a calendar doesn't tell: an older invitation that arrives late, or is
-- sent again by someone else, must not bring it back.
create table calendar_cancellations (
  user_id bigint not null references users on delete cascade,
  uid text not null,
  -- the cancelled occurrence; null: everything
  recurrence timestamptz,
  is_following boolean not null,
  -- the revision that was cancelled (RFC 5546)
  sequence bigint not null,
  stamp timestamptz not null,
  kept_at timestamptz not null,
  unique nulls not distinct (user_id, uid, recurrence, is_following)
);

create index calendar_cancellations_kept on calendar_cancellations (kept_at);
