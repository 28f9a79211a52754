import { type Kysely, sql } from 'kysely'

/** Payments, VAT rates, and receipts with their numbers. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table vat_rates (
    id uuid primary key,
    country text not null check (country ~ '^[A-Z]{2}$'),
    starts_on date not null,
    -- hundredths of a percent, so that 8.1 % is a whole number
    rate integer not null check (rate between 0 and 10000),
    unique (country, starts_on)
  )`,

  // what is received and what is booked differ when VAT comes on top
  `create table payments (
    id text primary key check (length(id) between 1 and 64),
    wallet_id uuid not null references wallets,
    type text not null check (type in ('oneoff', 'recurring', 'mandate', 'refund', 'chargeback')),
    status text not null check (status in
      ('open', 'pending', 'authorized', 'paid', 'canceled', 'expired', 'failed')),
    provider text not null,
    amount bigint not null,
    credit_amount bigint not null,
    currency text not null,
    currency_amount bigint not null,
    vat_rate_id uuid references vat_rates,
    description text not null default '',
    refund_of text references payments,
    receipt_id uuid,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    paid_at timestamptz,
    check ((status = 'paid') = (paid_at is not null)),
    check ((type in ('refund', 'chargeback')) = (refund_of is not null)),
    check (refund_of is null or amount <= 0)
  )`,
  `create index payments_wallet on payments (wallet_id, created_at desc, id)`,
  `create index payments_unreceipted on payments (paid_at, wallet_id)
    where status = 'paid' and receipt_id is null and amount <> 0`,
  `create index payments_refunds on payments (refund_of) where refund_of is not null`,

  `create table receipt_numbers (
    tenant_id integer not null references tenants,
    series text not null,
    last integer not null,
    primary key (tenant_id, series)
  )`,
  `create table receipts (
    id uuid primary key,
    tenant_id integer not null references tenants,
    wallet_id uuid not null references wallets,
    kind text not null check (kind in ('receipt', 'credit-note')),
    number text not null,
    period text not null check (period ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'),
    currency text not null,
    amount bigint not null,
    facts jsonb not null,
    issued_at timestamptz not null,
    unique (tenant_id, number),
    unique (wallet_id, period, kind)
  )`,
  `alter table payments add foreign key (receipt_id) references receipts`,
  `create trigger receipts_stay before update or delete or truncate on receipts
    for each statement execute function refuse_change()`,

  // what stands on a receipt does not change afterwards
  `create function keep_receipted_payment() returns trigger language plpgsql as $$
  begin
    if tg_op = 'DELETE' or (new.id, new.wallet_id, new.type, new.status, new.amount, new.credit_amount,
        new.receipt_id, new.paid_at) is distinct from (old.id, old.wallet_id, old.type, old.status, old.amount,
        old.credit_amount, old.receipt_id, old.paid_at) then
      raise exception 'payment % stands on a receipt', old.id using errcode = 'restrict_violation';
    end if;
    return new;
  end $$`,
  `create trigger payments_stay before update or delete on payments
    for each row when (old.receipt_id is not null) execute function keep_receipted_payment()`,
]
