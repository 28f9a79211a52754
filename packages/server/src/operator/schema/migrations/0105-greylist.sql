-- Greylisting remembers who sent mail to whom, from where and when, so that it decides about real mail.

-- The first and the last message of a sender to a recipient from a network. sender_local and sender_domain are
-- the key of the sender (sender-key.ts), both empty for bounces. Rows of deleted recipients are purged.
create table greylist_contacts (
  recipient_kind text not null check (recipient_kind in ('user', 'group', 'resource', 'shared-folder')),
  recipient_id bigint not null,
  sender_domain text not null,
  sender_local text not null,
  -- IPv4 /24 or IPv6 /64
  network text not null,
  first_seen timestamptz not null,
  last_seen timestamptz not null,
  attempts integer not null check (attempts > 0),
  -- null: no message was accepted yet
  passed_at timestamptz,
  primary key (recipient_id, recipient_kind, sender_domain, sender_local, network)
);

create index greylist_contacts_passed on greylist_contacts (sender_domain, network, passed_at desc)
  where passed_at is not null;

-- Servers that retry: enough contacts of a domain have passed from the network.
create table greylist_servers (
  sender_domain text not null,
  network text not null,
  since timestamptz not null,
  last_seen timestamptz not null,
  primary key (sender_domain, network)
);

-- Domains that send one-time codes, which are worthless after a delay.
create table greylist_code_senders (
  sender_domain text primary key,
  since timestamptz not null,
  last_seen timestamptz not null
);

-- Mail of a sender to a recipient that someone let through before the delay had passed.
create table greylist_releases (
  recipient_kind text not null check (recipient_kind in ('user', 'group', 'resource', 'shared-folder')),
  recipient_id bigint not null,
  sender_domain text not null,
  sender_local text not null,
  released_at timestamptz not null,
  primary key (recipient_id, recipient_kind, sender_domain, sender_local)
);

-- Addresses that a user has written to, without tags (`jane+news`). Their answers skip greylisting.
create table mail_correspondents (
  user_id bigint not null references users on delete cascade,
  address text not null,
  since timestamptz not null,
  last_seen timestamptz not null,
  primary key (user_id, address)
);

-- Senders whose mail a user never wants to wait for: addresses, domains, and suffixes with a leading dot.
create table mail_allowed_senders (
  user_id bigint not null references users on delete cascade,
  entry text not null,
  created_at timestamptz not null,
  primary key (user_id, entry)
);
