-- Charging: billed periods, and when each wallet is due. What a period costs is in
-- subscriptions/prices/period-cost.sql.

-- A charged period of an entitlement. Inserting one advances the entitlement's billed_until, so that no two
-- can overlap: a second writer finds it changed.
create table billed_periods (
  entitlement_id uuid not null,
  since timestamptz not null,
  until timestamptz not null,
  cost bigint not null check (cost >= 0),
  fee bigint not null check (fee >= 0),
  -- the debit that it belongs to; null if it was free
  entry_id uuid,
  -- null if unchanged by this period
  counted_from timestamptz,
  -- the tenant's profit entry that it belongs to; null if the tenant has no wallet, or there was no profit
  profit_id uuid,
  primary key (entitlement_id, since),
  check (since < until),
  check ((entry_id is null) = (cost = 0))
);

create index billed_periods_entry on billed_periods (entry_id) where entry_id is not null;

-- The settings ensure plans that look up rows by key, as in billing/ledger/schema.sql.
create function bill_periods() returns trigger language plpgsql
  set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
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
  end $$;

create trigger billed_periods_bill after insert on billed_periods
  referencing new table as billed for each statement execute function bill_periods();
create trigger billed_periods_stay before update or delete or truncate on billed_periods
  for each statement execute function refuse_change();

create function guard_billed_until() returns trigger language plpgsql as $$
  begin
    raise exception 'billed time of entitlement % is never taken back', old.id using errcode = 'restrict_violation';
  end $$;

create trigger entitlements_billed before update of billed_until on entitlements
  for each row when (new.billed_until < old.billed_until) execute function guard_billed_until();

-- When a wallet's next unit is due. An index on billed_until would be updated by every charge.
create table wallet_charging (
  wallet_id uuid primary key references wallets on delete cascade,
  due_at timestamptz
);

create index wallet_charging_due on wallet_charging (due_at, wallet_id) where due_at is not null;

create function next_due(created_at timestamptz, billed_until timestamptz, deleted_at timestamptz, months integer)
    returns timestamptz language sql stable as $$
    select case when $3 is null
      then add_months($2 at time zone 'UTC', $4, anchor_day($1 at time zone 'UTC', $2 at time zone 'UTC'))
        at time zone 'UTC'
      when $2 < $3 then $3 end
  $$;

create function schedule_charging() returns trigger language plpgsql as $$
  begin
    insert into wallet_charging as c (wallet_id, due_at)
      select wallet_id, min(next_due(coalesce(counted_from, created_at), billed_until, deleted_at, months))
      from given group by wallet_id
      on conflict (wallet_id) do update set due_at = least(c.due_at, excluded.due_at);
    return null;
  end $$;

create trigger entitlements_insert_due after insert on entitlements
  referencing new table as given for each statement execute function schedule_charging();

create function reschedule_charging() returns trigger language plpgsql as $$
  begin
    insert into wallet_charging as c (wallet_id, due_at) values (new.wallet_id,
        next_due(coalesce(new.counted_from, new.created_at), new.billed_until, new.deleted_at, new.months))
      on conflict (wallet_id) do update set due_at = least(c.due_at, excluded.due_at);
    return null;
  end $$;

create trigger entitlements_update_due after update of deleted_at, wallet_id, months on entitlements
  for each row execute function reschedule_charging();
