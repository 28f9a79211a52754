-- Price changes of existing subscriptions. entitlements.cost is the price of the period that begins at
-- billed_until; announced prices are stored here until a period begins on or after their effective date.

-- A scheduled price change of a SKU.
create table price_changes (
  id uuid primary key,
  tenant_id integer not null references tenants,
  sku_id uuid not null references skus on delete cascade,
  -- catalogue prices before and after the change
  old_cost bigint not null check (old_cost >= 0),
  cost bigint not null check (cost >= 0),
  old_fee bigint not null check (old_fee >= 0),
  fee bigint not null check (fee >= 0),
  months integer not null check (months > 0),
  currency text not null,
  -- when new subscriptions get the new price
  new_subscriptions text not null check (new_subscriptions in ('at-once', 'same-date')),
  effective_at timestamptz not null,
  -- days between notification and change; 0 if no one pays more
  notice_days integer not null check (notice_days >= 0),
  -- shown to customers, by language
  reason jsonb not null default '{}',
  state text not null default 'scheduled' check (state in ('scheduled', 'announced', 'applied', 'cancelled')),
  -- totals of its wallets, updated with each batch; amounts are cents per month after discounts
  wallets integer not null default 0,
  units integer not null default 0,
  told integer not null default 0,
  applied integer not null default 0,
  before bigint not null default 0,
  after bigint not null default 0,
  created_by bigint,
  creator_email text,
  created_at timestamptz not null,
  announced_at timestamptz,
  applied_at timestamptz,
  cancelled_at timestamptz,
  canceller_email text,
  -- when everyone notified of the change had been notified of its cancellation
  cancel_told_at timestamptz
);

-- A second change of a SKU must wait until the first is applied: each subscription price has one successor.
create unique index price_changes_open on price_changes (sku_id) where state in ('scheduled', 'announced');
create index price_changes_time on price_changes (created_at desc, id desc);
create index price_changes_tenant on price_changes (tenant_id, created_at desc, id desc);

-- Which price replaces which.
create table price_change_steps (
  change_id uuid not null references price_changes on delete cascade,
  from_cost bigint not null check (from_cost > 0),
  cost bigint not null check (cost >= 0),
  primary key (change_id, from_cost)
);

-- A change's effect on one wallet; written in the transaction that enqueues its e-mail.
create table price_change_wallets (
  change_id uuid not null references price_changes on delete cascade,
  wallet_id uuid not null references wallets on delete cascade,
  since timestamptz not null,
  units integer not null,
  -- contents of its e-mail: [{from, to, units}]
  prices jsonb not null,
  -- cents per month for the whole wallet, after the discount
  before bigint not null,
  after bigint not null,
  -- null: the units were ordered after the announcement, with the coming price shown
  told_at timestamptz,
  applied_at timestamptz,
  cancel_told_at timestamptz,
  primary key (change_id, wallet_id)
);

create index price_change_wallets_wallet on price_change_wallets (wallet_id);
create index price_change_wallets_waiting on price_change_wallets (change_id, wallet_id) where applied_at is null;

-- The coming price of one unit. folded_at is when it became the entitlement's own price.
create table price_change_units (
  entitlement_id uuid not null references entitlements on delete cascade,
  change_id uuid not null references price_changes on delete cascade,
  since timestamptz not null,
  old_cost bigint not null,
  old_fee bigint not null,
  cost bigint not null check (cost >= 0),
  fee bigint not null check (fee >= 0),
  folded_at timestamptz,
  primary key (entitlement_id, change_id)
);

create index price_change_units_change on price_change_units (change_id);
create index price_change_units_open on price_change_units (entitlement_id, since) where folded_at is null;

-- period_cost of a unit with consecutive prices. The first argument is the entitlement's id, the others are
-- those of period_cost.
create function cost_over_prices(uuid, bigint, bigint, integer, timestamptz, timestamptz, timestamptz, timestamptz,
      timestamptz, integer, timestamptz, boolean, boolean, boolean)
    returns table (cost bigint, fee bigint, since timestamptz, until timestamptz, counted timestamptz)
    language plpgsql stable as $$
  declare
    price_cost bigint := $2;
    price_fee bigint := $3;
    billed timestamptz := $7;
    began timestamptz := $6;
    sum_cost bigint := 0;
    sum_fee bigint := 0;
    first_since timestamptz;
    period_start timestamptz;
    boundary timestamptz;
    next_price record;
    part record;
  begin
    for next_price in
      select u.since, u.cost, u.fee from price_change_units u join price_changes c on c.id = u.change_id
      where u.entitlement_id = $1 and u.folded_at is null and c.state <> 'cancelled'
      order by u.since, u.change_id
    loop
      period_start := greatest(billed, $11);
      boundary := first_period_at(next_price.since, period_start,
        case when $11 > billed then $11 else coalesce(began, $5) end, $4);
      exit when boundary >= coalesce($8, $9);
      if boundary > period_start then
        select * into part from period_cost(price_cost, price_fee, $4, $5, began, billed, null, boundary, $10, $11,
          $12, false, $14);
        sum_cost := sum_cost + part.cost;
        sum_fee := sum_fee + part.fee;
        first_since := coalesce(first_since, part.since);
        billed := part.until;
        began := part.counted;
      end if;
      price_cost := next_price.cost;
      price_fee := next_price.fee;
    end loop;
    select * into part from period_cost(price_cost, price_fee, $4, $5, began, billed, $8, $9, $10, $11, $12, $13, $14);
    return query select sum_cost + part.cost, sum_fee + part.fee, coalesce(first_since, part.since), part.until,
      part.counted;
  end $$;
