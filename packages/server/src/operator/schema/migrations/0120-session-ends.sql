-- Open connections to the mail store end together with the user's sessions.
create table session_ends (
  user_id bigint primary key references users on delete cascade,
  ended_at timestamptz not null
);
