-- Search matches any part of a name, organisation, address or domain, ignoring case and accents: search texts
-- are folded, include the organisation and readable domains, and have trigram indexes.

-- updating a large installation takes longer than the statement timeout
set local statement_timeout = 0;
set local maintenance_work_mem = '256MB';

create function fold_text(words text) returns text language plpgsql immutable strict parallel safe as $$
  begin
    if octet_length(words) = char_length(words) then return lower(words collate "C"); end if;
    return replace(replace(replace(replace(translate(
      lower(regexp_replace(normalize(words, NFKD),
        '[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]', '', 'g') collate "und-x-icu"),
      'øłđðħŧıς', 'olddhtiσ'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');
  end $$;

create function trigrams(words text) returns text[] language plpgsql immutable strict parallel safe as $$
  declare
    found text[] := '{}';
  begin
    for place in 1 .. char_length(words) - 2 loop
      found[place] := substr(words, place, 3);
    end loop;
    return found;
  end $$;

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

create function readable_address(address text) returns text language sql immutable as $$
    select case when address like '%@%xn--%'
      then split_part(address, '@', 1) || '@' || readable_domain(split_part(address, '@', 2)) end
  $$;

drop function user_search_text(text, text, text, text[]);

create function user_search_text(address text, first_name text, last_name text, organization text, aliases text[])
    returns text language plpgsql immutable as $$
  declare
    line text;
    found text := fold_text(concat_ws(chr(10), address, readable_address(address),
      nullif(concat_ws(' ', first_name, last_name), '')));
  begin
    if organization is not null then
      line := fold_text(organization);
      if octet_length(found) + octet_length(line) > 1900 then line := left(line, 100); end if;
      found := found || chr(10) || line;
    end if;
    foreach line in array aliases loop
      line := fold_text(concat_ws(chr(10), line, readable_address(line)));
      if octet_length(found) + octet_length(line) > 1900 then return chr(1) || found; end if;
      found := found || chr(10) || line;
    end loop;
    return found;
  end $$;

create or replace function describe_user() returns trigger language plpgsql as $$
  declare
    first_name text := (select value from user_settings where user_id = new.id and key = 'first_name');
    last_name text := (select value from user_settings where user_id = new.id and key = 'last_name');
    organization text := (select value from user_settings where user_id = new.id and key = 'organization');
  begin
    new.sort_name := user_sort_name(new.email, first_name, last_name);
    new.search_text := user_search_text(new.email, first_name, last_name, organization,
      array(select address from addresses where kind = 'alias' and object_id = new.id order by 1));
    return new;
  end $$;

create or replace function describe_object() returns trigger language plpgsql as $$
  begin
    new.search_text := user_search_text(new.email, new.name, null, null,
      array(select address from addresses where kind = 'folder-alias' and object_id = new.id order by 1));
    return new;
  end $$;

drop trigger user_settings_describe on user_settings;
drop trigger user_settings_describe_removed on user_settings;
create trigger user_settings_describe after insert or update on user_settings
  for each row when (new.key in ('first_name', 'last_name', 'organization')) execute function describe_user_of_setting();
create trigger user_settings_describe_removed after delete on user_settings
  for each row when (old.key in ('first_name', 'last_name', 'organization')) execute function describe_user_of_setting();

drop index users_sort_name;
drop index user_settings_first_name;
drop index domains_own_script;

-- no account's view changes, so revisions need not be bumped
alter table users disable trigger user;
update users u set search_text = user_search_text(u.email,
    (select value from user_settings where user_id = u.id and key = 'first_name'),
    (select value from user_settings where user_id = u.id and key = 'last_name'),
    (select value from user_settings where user_id = u.id and key = 'organization'),
    array(select address from addresses where kind = 'alias' and object_id = u.id order by 1))
  where forgotten_at is null;
alter table users enable trigger user;
alter table directory_objects disable trigger user;
update directory_objects o set search_text = user_search_text(o.email, o.name, null, null,
    array(select address from addresses where kind = 'folder-alias' and object_id = o.id order by 1));
alter table directory_objects enable trigger user;

alter table domains add column search_text text not null generated always as (fold_text(display_name)) stored;
alter table rooms add column search_text text not null
  generated always as (fold_text(coalesce(description || chr(10), '') || name)) stored;

create index users_sort_name on users (fold_text(sort_name) text_pattern_ops, id) where forgotten_at is null;
create index user_settings_first_name on user_settings (fold_text(value) text_pattern_ops, user_id)
  where key = 'first_name';
create index users_trigrams on users using gin (trigrams(search_text)) with (gin_pending_list_limit = 256)
  where forgotten_at is null;
create index directory_objects_trigrams on directory_objects using gin (trigrams(search_text))
  with (gin_pending_list_limit = 256);
create index domains_trigrams on domains using gin (trigrams(search_text)) with (gin_pending_list_limit = 256);
