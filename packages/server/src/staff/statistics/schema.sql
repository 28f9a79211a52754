-- Data for charts.

-- A number per day, counted at night, so that a chart sums up days and reads only newer rows. label is a
-- country or a currency.
create table daily_stats (
  kind text not null check (kind in ('created', 'deleted', 'payers', 'country', 'income', 'signups')),
  tenant_id integer not null references tenants,
  day date not null,
  label text not null default '',
  value bigint not null,
  primary key (kind, day, tenant_id, label)
);
