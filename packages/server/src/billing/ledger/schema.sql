-- The ledger: entries of wallets, numbered and chained by hash, with their postings; only the ledger changes
-- balances.
--
-- Functions that process batches disable joins and sequential scans: their plans are cached per session, for
-- one row or for thousands, and rows are always looked up by key.

-- An entry: one event of a wallet. The writer provides the event; a trigger sets number, balance and hash
-- while holding the lock of the wallet's row, so that they can't be wrong.
create table ledger_entries (
  id uuid primary key,
  wallet_id uuid not null references wallets,
  -- from 1, without gaps per wallet
  number bigint not null,
  type text not null check (type in ('award', 'credit', 'debit', 'penalty', 'refund', 'chback')),
  -- cents from the wallet's perspective: award and credit are positive, all others negative
  amount bigint not null check (amount <> 0 and (amount > 0) = (type in ('award', 'credit'))),
  -- balance of the wallet after the entry
  balance bigint not null,
  currency text not null,
  -- source or destination of the money
  account text not null check (account in
    ('revenue', 'commissions', 'payments', 'awards', 'penalties', 'openings', 'forfeits')),
  -- idempotency key of the event
  key text not null unique check (key !~ '[\n\r]'),
  -- key of a text, and its parameters in the canonical form covered by the hash
  description text not null check (description ~ '^[a-z-]+$'),
  parameters text not null check (jsonb_typeof(parameters::jsonb) = 'object' and parameters !~ '[\n\r]'),
  actor_id bigint,
  actor_email text,
  created_at timestamptz not null,
  hash bytea not null,
  unique (wallet_id, number)
);

-- total that a staff member booked without approval, over all wallets
create index ledger_entries_booked_alone on ledger_entries (actor_id, created_at) where key like 'staff:%';
-- to erase a person's address
create index ledger_entries_actor on ledger_entries (actor_id) where actor_email is not null;

-- A posting: one side of an entry, in the wallet or in an account of the tenant. An entry's postings sum to
-- zero.
create table ledger_postings (
  entry_id uuid not null references ledger_entries,
  account text not null,
  wallet_id uuid,
  tenant_id integer not null,
  amount bigint not null check (amount <> 0),
  primary key (entry_id, account),
  check ((account = 'wallet') = (wallet_id is not null))
);

-- SHA-256 of an entry's canonical text; docs/OPERATIONS.md describes it for verifying a downloaded chain.
create function ledger_hash(e ledger_entries, previous bytea) returns bytea language sql stable as $$
    select sha256(convert_to(concat_ws(E'\n', 'gatehouse-ledger-1', e.wallet_id::text, e.number::text, e.id::text,
      e.type, e.amount::text, e.balance::text, e.currency, e.account, e.key, e.description, e.parameters,
      coalesce(e.actor_id::text, ''), to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      coalesce(encode(previous, 'hex'), '')), 'UTF8'))
  $$;

create function ledger_enter() returns trigger language plpgsql as $$
  declare last record;
  begin
    select currency into new.currency from wallets where id = new.wallet_id for no key update;
    if not found then
      raise exception 'there is no wallet %', new.wallet_id using errcode = 'foreign_key_violation';
    end if;
    select number, balance, hash into last from ledger_entries
      where wallet_id = new.wallet_id order by number desc limit 1;
    new.number := coalesce(last.number, 0) + 1;
    new.balance := coalesce(last.balance, 0) + new.amount;
    new.created_at := date_trunc('milliseconds', new.created_at);
    new.hash := ledger_hash(new, last.hash);
    return new;
  end $$;

create trigger ledger_entries_enter before insert on ledger_entries
  for each row execute function ledger_enter();

-- Posts new entries, updates the balances of their wallets, and starts or ends debts.
create function ledger_book() returns trigger language plpgsql
  set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
  begin
    insert into ledger_postings (entry_id, account, wallet_id, tenant_id, amount)
      select e.id, p.account, case when p.account = 'wallet' then e.wallet_id end, u.tenant_id, p.amount
      from entered e join wallets w on w.id = e.wallet_id join users u on u.id = w.user_id
        cross join lateral (values ('wallet', e.amount), (e.account, -e.amount)) p (account, amount);
    update wallets w set balance = w.balance + s.amount
      from (select wallet_id, sum(amount) as amount from entered group by wallet_id) s where w.id = s.wallet_id;
    insert into wallet_debts (wallet_id, negative_since)
      select wallet_id, created_at from (
        select distinct on (wallet_id) wallet_id, created_at, balance from entered order by wallet_id, number desc
      ) last where balance < 0
      on conflict (wallet_id) do nothing;
    delete from wallet_debts where wallet_id = any(array(
      select wallet_id from (
        select distinct on (wallet_id) wallet_id, balance from entered order by wallet_id, number desc
      ) last where balance >= 0));
    return null;
  end $$;

create trigger ledger_entries_book after insert on ledger_entries
  referencing new table as entered for each statement execute function ledger_book();

create function ledger_check() returns trigger language plpgsql
  set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
  declare wrong uuid;
  begin
    select n.entry_id into wrong from (select distinct entry_id from posted) n
      cross join lateral (select sum(amount) as total from ledger_postings p where p.entry_id = n.entry_id) a
      where a.total <> 0 limit 1;
    if wrong is not null then
      raise exception 'the postings of entry % do not sum to zero', wrong using errcode = 'check_violation';
    end if;
    select p.entry_id into wrong from posted p join ledger_entries e on e.id = p.entry_id
      where (p.account = 'wallet' and (p.wallet_id <> e.wallet_id or p.amount <> e.amount))
        or p.account not in ('wallet', e.account) limit 1;
    if wrong is not null then
      raise exception 'a posting does not belong to entry %', wrong using errcode = 'check_violation';
    end if;
    return null;
  end $$;

create trigger ledger_postings_check after insert on ledger_postings
  referencing new table as posted for each statement execute function ledger_check();

-- The ledger is append-only, with one exception: the actor's address, which no hash covers, may be erased.
create trigger ledger_entries_stay before delete or truncate on ledger_entries
  for each statement execute function refuse_change();
create trigger ledger_entries_stay_as_written before update on ledger_entries
  for each row when (new.actor_email is not null or to_jsonb(new) - 'actor_email' <> to_jsonb(old) - 'actor_email')
  execute function refuse_change();
create trigger ledger_postings_stay before update or delete or truncate on ledger_postings
  for each statement execute function refuse_change();

create function guard_balance() returns trigger language plpgsql as $$
  begin
    -- from within a trigger it is ledger_book, the only one that sets it
    if pg_trigger_depth() < 2 then
      raise exception 'the balance of a wallet is changed by its ledger only' using errcode = 'restrict_violation';
    end if;
    return new;
  end $$;

create trigger wallets_balance before update of balance on wallets
  for each row when (old.balance is distinct from new.balance) execute function guard_balance();
create trigger wallets_balance_new before insert on wallets
  for each row when (new.balance <> 0) execute function guard_balance();
