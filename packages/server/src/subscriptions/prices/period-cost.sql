-- period-cost.ts and platform/months.ts in SQL; billing/charging/period-cost-sql.test.ts compares the two.
-- Timestamps are UTC.

create function days_in_month(moment timestamp) returns integer language sql immutable as $$
    select extract(day from date_trunc('month', moment) + interval '1 month' - interval '1 day')::int
  $$;

-- Adds months to a moment, on day `anchor` or the last day of a shorter month.
create function add_months(moment timestamp, months integer, anchor integer) returns timestamp
    language sql immutable as $$
    select date_trunc('month', moment) + make_interval(months => months)
      + make_interval(days => least(anchor, days_in_month(date_trunc('month', moment) + make_interval(months => months))) - 1)
      + (moment - date_trunc('day', moment))
  $$;

-- Returns the day of the month on which periods begin, also if this one began on the last day of a shorter
-- month.
create function anchor_day(began timestamp, period_start timestamp) returns integer
    language sql immutable as $$
    select case when extract(day from period_start) = days_in_month(period_start)
      then greatest(extract(day from period_start), extract(day from began))
      else extract(day from period_start) end::int
  $$;

-- Returns the first start of a period at or after a moment, in whole periods from a given start.
create function first_period_at(moment timestamptz, period_start timestamptz, began timestamptz, months integer)
    returns timestamptz language sql stable as $$
    select case when b.at >= b.wanted then b.at
        else add_months(b.start, (b.periods + 1) * $4, b.anchor) end at time zone 'UTC'
    from (select a.start, a.wanted, a.anchor, n.periods,
          add_months(a.start, n.periods * $4, a.anchor) as at
      from (select $2 at time zone 'UTC' as start, $1 at time zone 'UTC' as wanted,
          anchor_day($3 at time zone 'UTC', $2 at time zone 'UTC') as anchor offset 0) a
        cross join lateral (select greatest(0,
          (extract(year from a.wanted) - extract(year from a.start))::int * 12
            + (extract(month from a.wanted) - extract(month from a.start))::int) / $4 as periods offset 0) n
      offset 0) b
  $$;

-- Returns what a unit has cost until now, in cents after the discount (percent), what its tenant owes for it,
-- the time this covers, and from when its months are counted afterwards. "offset 0" keeps the planner from
-- inlining each step's expression into the next one, which would compute the first ones a hundred times.
create function period_cost(cost bigint, fee bigint, months integer, created_at timestamptz,
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
  $$;
