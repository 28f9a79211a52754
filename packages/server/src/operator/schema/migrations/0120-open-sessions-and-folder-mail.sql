-- Open connections to the mail store end together with the user's sessions.
create table session_ends (
  user_id bigint primary key references users on delete cascade,
  ended_at timestamptz not null
);

-- Mail to any address of a shared mail folder is delivered there. Mail to other types of folders is refused.
drop index directory_objects_mail_folders;
create index directory_objects_mail_folders on directory_objects (('shared@' || domain))
  where kind = 'shared-folder' and folder_type = 'mail' and deleted_at is null;

create or replace view mail.mailboxes as
  select email from users where deleted_at is null and status & 2 <> 0 and status & 4 = 0
  union all
  select email from directory_objects where deleted_at is null and kind = 'resource'
  union all
  select distinct 'shared@' || domain from directory_objects
    where kind = 'shared-folder' and folder_type = 'mail' and deleted_at is null;

create or replace view mail.aliases as
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
