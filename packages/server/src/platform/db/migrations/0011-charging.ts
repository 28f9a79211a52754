import { type Kysely, sql } from 'kysely'

/** Charging: the price of a period in SQL, billed periods, when wallets are due, wallets of tenants. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

/** As in the migration before: whatever the first call was like, the others must not read whole tables. */
const byIndex = 'set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off'

const statements = [
  `alter table tenants add column wallet_id uuid references wallets`,
  // profits go to the wallet that this names, and no longer to that of whoever is the first reseller
  `update tenants t set wallet_id = (select w.id from users u join wallets w on w.user_id = u.id
    where u.tenant_id = t.id and u.role = 'reseller' and u.deleted_at is null
    order by u.created_at, u.id, w.created_at limit 1) where t.id <> 0`,

  // months that one price is for: 12 for SKUs that are paid by the year. Fixed with the price
  `alter table entitlements add column months integer not null default 1 check (months > 0)`,
  `update entitlements e set months = 12 from skus k where k.id = e.sku_id and k.period = 'yearly'`,
  // charging moves billed_until of every row: half of each page is left free, so that the new version lies
  // beside the old one and no index learns of it
  `alter table entitlements set (fillfactor = 50)`,
  `create index entitlements_ended on entitlements (wallet_id, sku_id, deleted_at) where deleted_at is not null`,

  // months.ts in SQL; timestamps are UTC
  `create function days_in_month(moment timestamp) returns integer language sql immutable as $$
    select extract(day from date_trunc('month', moment) + interval '1 month' - interval '1 day')::int
  $$`,
  `create function add_months(moment timestamp, months integer, anchor integer) returns timestamp
    language sql immutable as $$
    select date_trunc('month', moment) + make_interval(months => months)
      + make_interval(days => least(anchor, days_in_month(date_trunc('month', moment) + make_interval(months => months))) - 1)
      + (moment - date_trunc('day', moment))
  $$`,
  `create function anchor_day(began timestamp, period_start timestamp) returns integer
    language sql immutable as $$
    select case when extract(day from period_start) = days_in_month(period_start)
      then greatest(extract(day from period_start), extract(day from began))
      else extract(day from period_start) end::int
  $$`,
  // period-cost.ts in SQL; a test holds one to the other. "offset 0" keeps the planner from putting each step's
  // expression into every place of the next, which would compute the first ones a hundred times
  `create function period_cost(cost bigint, fee bigint, months integer, created_at timestamptz,
      billed_until timestamptz, deleted_at timestamptz, now timestamptz, discount integer,
      trial_end timestamptz, is_degraded boolean, to_the_day boolean, return_used boolean)
    returns table (cost bigint, fee bigint, since timestamptz, until timestamptz) language sql stable as $$
    select
      case when not s.runs or r.returned then 0
        else $1 * (100 - s.off) / 100 * n.periods
          + case when b.days = 0 then 0
            when $3 = 1 then $1 * (100 - s.off) * b.end_days / (100 * days_in_month(s.finish))
              + $1 * (100 - s.off) * (b.days - b.end_days) / (100 * days_in_month(n.billed))
            else $1 * (100 - s.off) * b.days / (100 * b.year_days) end end,
      case when not s.runs or r.returned then 0
        else $2 * n.periods
          + case when b.days = 0 then 0
            when $3 = 1 then $2 * b.end_days / days_in_month(s.finish)
              + $2 * (b.days - b.end_days) / days_in_month(n.billed)
            else $2 * b.days / b.year_days end end,
      s.start at time zone 'UTC',
      case when s.runs and (s.by_day or r.returned) then s.finish else n.billed end at time zone 'UTC'
    from (select f.finish, f.created, f.by_day, f.start, f.start < f.finish as runs, f.off
        from (select coalesce($6, $7) at time zone 'UTC' as finish, $4 at time zone 'UTC' as created,
          $11 or $6 is not null as by_day, greatest($5, $9) at time zone 'UTC' as start,
          case when $10 then 100 else $8 end as off offset 0) f offset 0) s
      cross join lateral (select s.by_day and not $12 and s.finish - s.created < interval '14 days' as returned,
        anchor_day(s.created, s.start) as anchor offset 0) r
      cross join lateral (select (extract(year from s.finish) - extract(year from s.start))::int * 12
        + (extract(month from s.finish) - extract(month from s.start))::int as calendar offset 0) c
      cross join lateral (select greatest(0, case when add_months(s.start, c.calendar, r.anchor) <= s.finish
        then c.calendar else c.calendar - 1 end) / $3 as periods offset 0) m
      cross join lateral (select m.periods, add_months(s.start, m.periods * $3, r.anchor) as billed offset 0) n
      cross join lateral (select d.days, least(d.days, extract(day from s.finish)::int) as end_days, d.year_days
        from (select case when s.by_day then greatest(0, floor(extract(epoch from s.finish - n.billed) / 86400))::int
            else 0 end as days,
          case when $3 = 1 then 1 else extract(day from add_months(n.billed, $3, r.anchor) - n.billed)::int end
            as year_days) d offset 0) b
  $$`,

  // Each row is a time of an entitlement that was charged; writing one moves the entitlement's billed_until,
  // so that no two can overlap: whoever comes second finds it moved.
  `create table billed_periods (
    entitlement_id uuid not null,
    since timestamptz not null,
    until timestamptz not null,
    cost bigint not null check (cost >= 0),
    fee bigint not null check (fee >= 0),
    entry_id uuid,
    primary key (entitlement_id, since),
    check (since < until),
    check ((entry_id is null) = (cost = 0))
  )`,
  `create index billed_periods_entry on billed_periods (entry_id) where entry_id is not null`,
  `create function bill_periods() returns trigger language plpgsql ${byIndex} as $$
  declare moved bigint; wanted bigint; wrong uuid;
  begin
    update entitlements e set billed_until = b.until from billed b
      where e.id = b.entitlement_id and e.billed_until <= b.since;
    get diagnostics moved = row_count;
    select count(*) into wanted from billed;
    if moved <> wanted then
      raise exception 'a time is billed already' using errcode = 'exclusion_violation';
    end if;
    select s.entry_id into wrong from
      (select entry_id, sum(cost) as cost from billed where entry_id is not null group by entry_id) s
      left join ledger_entries e on e.id = s.entry_id
      where e.amount is distinct from -s.cost or e.type <> 'debit' limit 1;
    if wrong is not null then
      raise exception 'entry % is not the sum of its periods', wrong using errcode = 'check_violation';
    end if;
    return null;
  end $$`,
  `create trigger billed_periods_bill after insert on billed_periods
    referencing new table as billed for each statement execute function bill_periods()`,
  `create trigger billed_periods_stay before update or delete or truncate on billed_periods
    for each statement execute function refuse_change()`,
  `create function guard_billed_until() returns trigger language plpgsql as $$
  begin
    raise exception 'billed time of entitlement % is never taken back', old.id using errcode = 'restrict_violation';
  end $$`,
  `create trigger entitlements_billed before update of billed_until on entitlements
    for each row when (new.billed_until < old.billed_until) execute function guard_billed_until()`,

  // when the next unit of a wallet is due; an index on billed_until would be rewritten by every charge
  `create table wallet_charging (
    wallet_id uuid primary key references wallets on delete cascade,
    due_at timestamptz
  )`,
  `create index wallet_charging_due on wallet_charging (due_at, wallet_id) where due_at is not null`,
  `create function next_due(created_at timestamptz, billed_until timestamptz, deleted_at timestamptz, months integer)
    returns timestamptz language sql stable as $$
    select case when $3 is null
      then add_months($2 at time zone 'UTC', $4, anchor_day($1 at time zone 'UTC', $2 at time zone 'UTC'))
        at time zone 'UTC'
      when $2 < $3 then $3 end
  $$`,
  `create function schedule_charging() returns trigger language plpgsql as $$
  begin
    insert into wallet_charging as c (wallet_id, due_at)
      select wallet_id, min(next_due(created_at, billed_until, deleted_at, months)) from given group by wallet_id
      on conflict (wallet_id) do update set due_at = least(c.due_at, excluded.due_at);
    return null;
  end $$`,
  `create trigger entitlements_insert_due after insert on entitlements
    referencing new table as given for each statement execute function schedule_charging()`,
  `create function reschedule_charging() returns trigger language plpgsql as $$
  begin
    insert into wallet_charging as c (wallet_id, due_at)
      values (new.wallet_id, next_due(new.created_at, new.billed_until, new.deleted_at, new.months))
      on conflict (wallet_id) do update set due_at = least(c.due_at, excluded.due_at);
    return null;
  end $$`,
  `create trigger entitlements_update_due after update of deleted_at, wallet_id, months on entitlements
    for each row execute function reschedule_charging()`,
  `insert into wallet_charging (wallet_id, due_at)
    select wallet_id, min(next_due(created_at, billed_until, deleted_at, months)) from entitlements group by 1`,
]
