-- What the directory of a customer knows about users and distribution lists that it manages with SCIM.

-- The directory's own id of a user, and the user's manager. Values of deleted users don't count.
create table scim_users (
  user_id bigint primary key references users on delete cascade,
  wallet_id uuid not null references wallets on delete cascade,
  external_id text,
  manager_id bigint references users on delete set null
);

create unique index scim_users_external on scim_users (wallet_id, external_id);
create index scim_users_manager on scim_users (manager_id) where manager_id is not null;

-- The directory's own id of a distribution list.
create table scim_groups (
  group_id bigint primary key references directory_objects on delete cascade,
  wallet_id uuid not null references wallets on delete cascade,
  external_id text
);

create unique index scim_groups_external on scim_groups (wallet_id, external_id);
