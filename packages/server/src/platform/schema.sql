-- What every room builds on: the event log, the mail log, the provisioning queue, throttles, idempotency
-- keys, keys of the installation, and the trigger functions and generators that other schemas share.

-- For `before update` triggers: increments a row's revision, so that readers can detect stale caches.
create function raise_revision() returns trigger language plpgsql as $$
  begin
    new.revision := old.revision + 1;
    return new;
  end $$;

-- For triggers of append-only tables.
create function refuse_change() returns trigger language plpgsql as $$
  begin
    raise exception '% is never changed, only added to', tg_table_name using errcode = 'restrict_violation';
  end $$;

-- A UUIDv7: rows created at the same time are adjacent in every index.
create function time_uuid(moment timestamptz) returns uuid language sql volatile as $$
    select (lpad(to_hex((extract(epoch from moment) * 1000)::bigint), 12, '0') || '7' || substr(r, 1, 3) || '8'
      || substr(r, 4, 15))::uuid from replace(gen_random_uuid()::text, '-', '') r
  $$;

-- Search

-- Folds a text for searches: without case and accents, "Straße" as "strasse". `foldText` in
-- packages/contract/src/fold-text.ts does the same; a test compares the two.
create function fold_text(words text) returns text language plpgsql immutable strict parallel safe as $$
  begin
    if octet_length(words) = char_length(words) then return lower(words collate "C"); end if;
    return replace(replace(replace(replace(translate(
      lower(regexp_replace(normalize(words, NFKD),
        '[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]', '', 'g') collate "und-x-icu"),
      'øłđðħŧıς', 'olddhtiσ'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');
  end $$;

-- Returns all three-character substrings, for a substring index. Punctuation counts, so that "ne@ac" is as
-- selective as it looks. The index removes duplicates.
create function trigrams(words text) returns text[] language plpgsql immutable strict parallel safe as $$
  declare
    found text[] := '{}';
  begin
    for place in 1 .. char_length(words) - 2 loop
      found[place] := substr(words, place, 3);
    end loop;
    return found;
  end $$;

-- Converts a domain name from ASCII to Unicode (RFC 3492). Invalid labels are kept unchanged.
create function readable_domain(name text) returns text language plpgsql immutable strict parallel safe as $$
  declare
    labels text[] := string_to_array(name, '.');
    decoded text;
    rest text;
    code bigint;
    place bigint;
    before bigint;
    bias bigint;
    weight bigint;
    step bigint;
    digit bigint;
    threshold bigint;
    delta bigint;
  begin
    if position('xn--' in name) = 0 then return name; end if;
    for at in 1 .. cardinality(labels) loop
      continue when left(labels[at], 4) <> 'xn--';
      rest := substr(labels[at], 5);
      decoded := coalesce(substring(rest from '^(.*)-'), '');
      if position('-' in rest) > 0 then rest := substring(rest from '[^-]*$'); end if;
      code := 128;
      place := 0;
      bias := 72;
      while rest <> '' loop
        before := place;
        weight := 1;
        step := 36;
        loop
          digit := strpos('abcdefghijklmnopqrstuvwxyz0123456789', left(rest, 1)) - 1;
          if rest = '' or digit < 0 or weight > 1000000000 then return name; end if;
          rest := substr(rest, 2);
          place := place + digit * weight;
          threshold := greatest(1, least(26, step - bias));
          exit when digit < threshold;
          weight := weight * (36 - threshold);
          step := step + 36;
        end loop;
        delta := (place - before) / case when before = 0 then 700 else 2 end;
        delta := delta + delta / (char_length(decoded) + 1);
        bias := 0;
        while delta > 455 loop
          delta := delta / 35;
          bias := bias + 36;
        end loop;
        bias := bias + 36 * delta / (delta + 38);
        code := code + place / (char_length(decoded) + 1);
        place := place % (char_length(decoded) + 1);
        if code > 1114111 or code between 55296 and 57343 then return name; end if;
        decoded := left(decoded, place::int) || chr(code::int) || substr(decoded, place::int + 1);
        place := place + 1;
      end loop;
      labels[at] := decoded;
    end loop;
    return array_to_string(labels, '.');
  end $$;

-- An event: an action on an object. Screens call the list "activity".
-- wallet_id is the object's account, filled in by a trigger (operator/schema/schema.sql). staff_* is the
-- person who acted in the actor's name; api_key is the name of the API key that was used, which has no actor if
-- it acts for the account. Frequent events share a row: `times` counts those between created_at and last_at; a
-- row for a single event has no last_at. position: see event_positions.
create table event_log (
  id uuid primary key,
  tenant_id integer not null references tenants,
  object_type text not null,
  object_id bigint not null,
  event text not null,
  actor_id bigint,
  actor_email text,
  ip text,
  comment text,
  data jsonb,
  created_at timestamptz not null,
  wallet_id uuid,
  staff_id bigint,
  staff_email text,
  times integer not null default 1 check (times > 0),
  last_at timestamptz,
  api_key text,
  position bigint
);

-- The order in which events are delivered to programs. Positions are given to committed events, one transaction
-- at a time, so that no event appears before one that was read already.
create sequence event_positions;

create index event_log_unnumbered on event_log (created_at, id) where position is null and wallet_id is not null;
create index event_log_position on event_log (wallet_id, position) where position is not null;

create index event_log_object on event_log (object_type, object_id, created_at desc);
create index event_log_wallet on event_log (wallet_id, created_at desc, id desc);
create index event_log_actor on event_log (actor_id, created_at desc) where actor_id is not null;
create index event_log_file on event_log ((data ->> 'file'), created_at desc) where data ->> 'file' is not null;
-- Finds a person's actions in other accounts by id, so that erasing the person also removes the address
-- there.
create index event_log_staff on event_log (staff_id) where staff_email is not null;

-- A message that was handed to the mail server, or could not be. Bodies are not stored.
create table mail_log (
  id uuid primary key,
  -- kind of e-mail
  name text not null,
  subject text not null,
  recipients text[] not null,
  outcome text not null check (outcome in ('sent', 'failed')),
  error text,
  -- user it is about
  user_id bigint,
  created_at timestamptz not null
);

create index mail_log_time on mail_log (created_at desc, id desc);
create index mail_log_user on mail_log (user_id, created_at desc) where user_id is not null;

-- One step of syncing an object to the back end: what the back end has, and the progress of the work.
create table provisioning (
  kind text not null check (kind in ('user', 'domain', 'group', 'resource', 'shared-folder')),
  object_id bigint not null,
  -- `backend`, or a setup step such as `verified`
  step text not null,
  state text not null check (state in ('waiting', 'running', 'failed', 'done')),
  -- incremented by every change that the step must process
  revision bigint not null default 1,
  -- failures since the last success or change
  attempts integer not null default 0,
  -- last error, shown to staff only
  error text,
  -- the object that still holds the name
  waits_for text,
  -- when the back end last accepted the object; null if it doesn't exist there
  told_at timestamptz,
  tried_at timestamptz,
  primary key (kind, object_id, step)
);

create index provisioning_waits on provisioning (waits_for) where waits_for is not null;
create index provisioning_open on provisioning (kind, object_id) where state <> 'done';

-- A name of an object in the back end. A name belongs to one object at a time: a user who gets a deleted
-- user's address waits until the old mailbox is removed.
create table provisioning_names (
  name text primary key,
  kind text not null,
  object_id bigint not null
);

create index provisioning_names_object on provisioning_names (kind, object_id);

-- Failed attempts per subject (an address, a user, a code). Counts decay gradually, hence the fraction.
-- Attempts in progress count as failures until their outcome is known; `pending` is their number.
-- Each request updates its rows twice: HOT updates (no index on updated columns, free space on the page) keep
-- that cheap.
create table throttles (
  kind text not null,
  subject bytea not null,
  -- including attempts in progress
  failures double precision not null,
  blocked_until timestamptz,
  updated_at timestamptz not null,
  pending integer not null default 0,
  reserved_at timestamptz,
  primary key (kind, subject)
) with (fillfactor = 50);

-- A request with an Idempotency-Key, and its response once committed.
create table idempotency_keys (
  name bytea primary key,
  fingerprint bytea not null,
  answer bytea,
  created_at timestamptz not null,
  -- seed of all ids that retries of the request create
  seed uuid not null default gen_random_uuid(),
  -- the attempt that may commit, and until when its lease is valid
  holder uuid,
  leased_until timestamptz not null default now() + interval '1 minute',
  -- part of the request is committed, its response is not
  acted boolean not null default false
);

create index idempotency_keys_created on idempotency_keys (created_at);

-- A process that runs jobs, with the number of the advisory lock it holds while alive.
create table job_pools (
  pool_id text primary key,
  holder bigint not null
);

-- A key of the installation, sealed with the master secret.
create table installation_keys (
  -- increases with age; the first key is never replaced
  n integer generated always as identity primary key,
  -- null if the key is the master secret itself, as in installations older than this table
  sealed bytea,
  is_current boolean not null,
  created_at timestamptz not null default now()
);

create unique index installation_keys_current on installation_keys ((true)) where is_current;

-- A fact about the installation, such as the marker of its data folder.
create table installation_facts (
  name text primary key,
  value text not null
);

-- The most recently downloaded country database, shared by all processes. At most one row.
create table country_database (
  is_only boolean primary key default true check (is_only),
  -- SHA-256 of the content, hex
  version text not null,
  source text not null,
  built_at timestamptz not null,
  fetched_at timestamptz not null,
  bytes integer not null,
  content bytea not null check (length(content) = bytes)
);

-- The content is already compressed.
alter table country_database alter column content set storage external;
