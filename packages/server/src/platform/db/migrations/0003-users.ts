import { type Kysely, sql } from 'kysely'

/** Lists and searches of users, the account in the event log, release of deleted users' addresses. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `alter table users
    add column sort_name text collate "und-x-icu" not null default '',
    add column search_text text not null default ''`,

  // What a list needs of a user lies in one index beside the account that it belongs to, so that listing and
  // searching reads a few neighbouring pages and no row of another account. An index row has room for some
  // 2700 bytes: names and address fit always, aliases as far as they go; a leading character 1 says that
  // there are more, which a search then looks up among the addresses.
  `create function user_search_text(address text, first_name text, last_name text, aliases text[])
    returns text language plpgsql immutable as $$
  declare
    line text;
    found text := lower(concat_ws(chr(10), address, nullif(concat_ws(' ', first_name, last_name), '')));
  begin
    foreach line in array aliases loop
      if octet_length(found) + octet_length(line) > 1900 then return chr(1) || found; end if;
      found := found || chr(10) || line;
    end loop;
    return found;
  end $$`,
  `create function user_sort_name(address text, first_name text, last_name text)
    returns text language sql immutable as $$
    select left(coalesce(nullif(concat_ws(' ', last_name, first_name), ''), address), 100)
  $$`,
  `create function describe_user() returns trigger language plpgsql as $$
  declare
    first_name text := (select value from user_settings where user_id = new.id and key = 'first_name');
    last_name text := (select value from user_settings where user_id = new.id and key = 'last_name');
  begin
    new.sort_name := user_sort_name(new.email, first_name, last_name);
    new.search_text := user_search_text(new.email, first_name, last_name,
      array(select address from addresses where kind = 'alias' and object_id = new.id order by 1));
    return new;
  end $$`,
  `create trigger users_describe before insert or update of email, search_text on users
    for each row execute function describe_user()`,
  `create function describe_user_of_setting() returns trigger language plpgsql as $$
  begin
    update users set search_text = '' where id = coalesce(new.user_id, old.user_id);
    return null;
  end $$`,
  `create trigger user_settings_describe after insert or update on user_settings
    for each row when (new.key in ('first_name', 'last_name')) execute function describe_user_of_setting()`,
  `create trigger user_settings_describe_removed after delete on user_settings
    for each row when (old.key in ('first_name', 'last_name')) execute function describe_user_of_setting()`,
  // an alias is part of the user's view as well, and this raises the revision that the view depends on
  `create function describe_user_of_alias() returns trigger language plpgsql as $$
  begin
    if tg_op <> 'INSERT' and old.kind = 'alias' then
      update users set search_text = '' where id = old.object_id;
    end if;
    if tg_op <> 'DELETE' and new.kind = 'alias' then
      update users set search_text = '' where id = new.object_id;
    end if;
    return null;
  end $$`,
  `create trigger addresses_describe after insert or update or delete on addresses
    for each row execute function describe_user_of_alias()`,
  `update users set search_text = ''`,
  `drop index users_wallet`,
  `create index users_wallet on users (wallet_id, email)
    include (id, status, created_at, sort_name, search_text) where deleted_at is null`,
  `create index users_deleted on users (deleted_at) where deleted_at is not null`,

  // every entry belongs to the account of its object; who writes one need not know which that is
  `alter table event_log add column wallet_id uuid`,
  `create function account_of_event() returns trigger language plpgsql as $$
  begin
    if new.wallet_id is null then
      new.wallet_id := case new.object_type
        when 'user' then (select wallet_id from users where id = new.object_id)
        when 'domain' then (select wallet_id from domains where id = new.object_id)
      end;
    end if;
    return new;
  end $$`,
  `update event_log e set wallet_id = u.wallet_id from users u
    where e.object_type = 'user' and u.id = e.object_id`,
  `update event_log e set wallet_id = d.wallet_id from domains d
    where e.object_type = 'domain' and d.id = e.object_id`,
  `create trigger event_log_account before insert on event_log
    for each row execute function account_of_event()`,
  `create index event_log_wallet on event_log (wallet_id, created_at desc, id desc)`,
  `create index event_log_actor on event_log (actor_id, created_at desc) where actor_id is not null`,

  // the cost of an entitlement is part of the views as well
  `create trigger entitlements_cost_touch after update of cost on entitlements
    for each row when (old.cost is distinct from new.cost) execute function touch_wallets_of_row()`,
]
