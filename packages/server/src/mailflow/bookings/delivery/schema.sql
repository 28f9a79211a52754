-- Bookings that wait for the manager of the resource. A newer revision of a booking replaces the older question.
create table booking_requests (
  id uuid primary key,
  resource_id bigint not null references directory_objects on delete cascade,
  manager_id bigint not null references users on delete cascade,
  uid text not null,
  -- the revision that the manager was asked about
  sequence bigint not null,
  stamp timestamptz not null,
  summary text not null,
  organizer text not null,
  -- local time of its zone, such as 2026-03-01T10:00:00, or a day
  starts text,
  time_zone text,
  is_recurring boolean not null,
  asked_at timestamptz not null,
  unique (resource_id, uid)
);

create index booking_requests_manager on booking_requests (manager_id, asked_at);
