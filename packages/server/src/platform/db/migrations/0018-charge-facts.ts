import { type Kysely, sql } from 'kysely'

/**
 * From when the months of an entitlement are counted. A trial or a settlement begins them anew, maybe on the 31st;
 * without this moment the first short month after it would move them to the 28th for ever, and charging late would
 * come to other days than charging every day. And which profit of a tenant a billed period is part of.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

/** As in the migrations before: whatever the first call was like, the others must not read whole tables. */
const byIndex = 'set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off'

const statements = [
  // null: since it was made, as is the case with most
  'alter table entitlements add column counted_from timestamptz',
  // null: this period did not change it
  'alter table billed_periods add column counted_from timestamptz',
  // null: the tenant has no wallet, or this charge brought it nothing
  'alter table billed_periods add column profit_id uuid',

  // period-cost.ts in SQL; a test holds one to the other. "offset 0" keeps the planner from putting each step's
  // expression into every place of the next, which would compute the first ones a hundred times
  `drop function period_cost(bigint, bigint, integer, timestamptz, timestamptz, timestamptz, timestamptz, integer,
    timestamptz, boolean, boolean, boolean)`,
  `create function period_cost(cost bigint, fee bigint, months integer, created_at timestamptz,
      counted_from timestamptz, billed_until timestamptz, deleted_at timestamptz, now timestamptz, discount integer,
      trial_end timestamptz, is_degraded boolean, to_the_day boolean, return_used boolean)
    returns table (cost bigint, fee bigint, since timestamptz, until timestamptz, counted timestamptz)
    language sql stable as $$
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
      case when s.runs and (s.by_day or r.returned) then s.finish else n.billed end at time zone 'UTC',
      case when s.runs and (r.returned or s.by_day and n.billed < s.finish) then s.finish else s.began end
        at time zone 'UTC'
    from (select f.finish, f.created, f.by_day, f.start, f.began, f.start < f.finish as runs, f.off
        from (select coalesce($7, $8) at time zone 'UTC' as finish, $4 at time zone 'UTC' as created,
          $12 or $7 is not null as by_day, greatest($6, $10) at time zone 'UTC' as start,
          case when $10 > $6 then $10 else coalesce($5, $4) end at time zone 'UTC' as began,
          case when $11 then 100 else $9 end as off offset 0) f offset 0) s
      cross join lateral (select s.by_day and not $13 and s.finish - s.created < interval '14 days' as returned,
        anchor_day(s.began, s.start) as anchor offset 0) r
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

  `create or replace function bill_periods() returns trigger language plpgsql ${byIndex} as $$
  declare moved bigint; wanted bigint; wrong uuid;
  begin
    update entitlements e set billed_until = b.until, counted_from = coalesce(b.counted_from, e.counted_from)
      from billed b where e.id = b.entitlement_id and e.billed_until <= b.since;
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

  `create or replace function schedule_charging() returns trigger language plpgsql as $$
  begin
    insert into wallet_charging as c (wallet_id, due_at)
      select wallet_id, min(next_due(coalesce(counted_from, created_at), billed_until, deleted_at, months))
      from given group by wallet_id
      on conflict (wallet_id) do update set due_at = least(c.due_at, excluded.due_at);
    return null;
  end $$`,
  `create or replace function reschedule_charging() returns trigger language plpgsql as $$
  begin
    insert into wallet_charging as c (wallet_id, due_at) values (new.wallet_id,
        next_due(coalesce(new.counted_from, new.created_at), new.billed_until, new.deleted_at, new.months))
      on conflict (wallet_id) do update set due_at = least(c.due_at, excluded.due_at);
    return null;
  end $$`,
]
