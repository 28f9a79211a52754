-- The dashboards of the cockpits show new accounts by week, counted nightly, and the number of degraded
-- accounts.
alter table daily_stats drop constraint daily_stats_kind_check;
alter table daily_stats add constraint daily_stats_kind_check
  check (kind in ('created', 'deleted', 'payers', 'country', 'income', 'signups'));

create index users_degraded on users (tenant_id) where deleted_at is null and status & 64 <> 0;
