-- Views for mail servers that read addresses from the database, such as Postfix with `pgsql:` tables. The gateway
-- answers `socketmap:` tables from the same views. The role of a mail server may read this schema and nothing else.

create schema mail;

-- Domains that get mail here: verified, and neither suspended nor deleted.
create view mail.domains as
  select namespace from domains where deleted_at is null and status & 4 = 0 and status & 16 <> 0;

-- The technical user of a domain, which the mail store keeps shared folders at, is found by this.
create index directory_objects_mail_folders on directory_objects (('shared@' || domain))
  where kind = 'shared-folder' and folder_type = 'mail' and deleted_at is null;

-- Main addresses of users who get mail and of resources, and the technical users of domains with shared mail folders.
create view mail.mailboxes as
  select email from users where deleted_at is null and status & 2 <> 0 and status & 4 = 0
  union all
  select email from directory_objects where deleted_at is null and kind = 'resource'
  union all
  select distinct 'shared@' || domain from directory_objects
    where kind = 'shared-folder' and folder_type = 'mail' and deleted_at is null;

-- Where mail goes, as a comma-separated list: users and objects to themselves, so that a catch-all never gets their
-- mail; aliases to their user; lists to their members; mail folders to the technical user of their domain, with `sf` and
-- their id as the tag, by which the store finds the folder. `@domain` is the catch-all of a domain.
create view mail.aliases as
  select a.address as source, u.email as destination
    from addresses a join users u on u.id = a.object_id
    where a.kind in ('user', 'alias') and u.deleted_at is null and u.status & 2 <> 0 and u.status & 4 = 0
  union all
  select '@' || a.domain, u.email
    from addresses a join users u on u.id = a.object_id
    where a.kind in ('user', 'alias') and split_part(a.address, '@', 1) = 'catchall'
      and u.deleted_at is null and u.status & 2 <> 0 and u.status & 4 = 0
  union all
  select a.address,
      case when o.kind = 'resource' then o.email else 'shared+sf' || o.id || '@' || o.domain end
    from addresses a join directory_objects o on o.id = a.object_id
    where a.kind in ('resource', 'shared-folder', 'folder-alias') and o.deleted_at is null
      and (o.kind = 'resource' or o.folder_type = 'mail')
  union all
  select distinct 'shared@' || domain, 'shared@' || domain from directory_objects
    where kind = 'shared-folder' and folder_type = 'mail' and deleted_at is null
  union all
  select a.address,
      (select string_agg(m.address, ',' order by m.address) from group_members m
        where m.group_id = o.id and m.withdrawn_at is null)
    from addresses a join directory_objects o on o.id = a.object_id
    where a.kind = 'group' and o.deleted_at is null and o.status & 4 = 0 and o.members > 0;

-- the view finds the catch-all of a domain by this
create index addresses_catch_all on addresses (('@' || domain)) where split_part(address, '@', 1) = 'catchall';

-- Logins that may use an address as sender: its user, and delegates who may send as the user. Sending as a list or
-- shared folder is decided by the gateway's policy.
create view mail.sender_logins as
  select a.address as sender, u.email as login
    from addresses a join users u on u.id = a.object_id
    where a.kind in ('user', 'alias') and u.deleted_at is null and u.status & 2 <> 0 and u.status & 4 = 0
  union all
  select a.address, g.email
    from addresses a
      join users u on u.id = a.object_id
      join delegations d on d.delegator_id = u.id and d.options -> 'send_as' = 'true'
      join users g on g.id = d.delegatee_id
    where a.kind in ('user', 'alias') and u.deleted_at is null and u.status & 2 <> 0 and u.status & 4 = 0
      and g.deleted_at is null and g.status & 2 <> 0 and g.status & 4 = 0;
