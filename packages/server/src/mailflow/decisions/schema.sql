-- Decisions of mail policies, kept so that people can find out where a message is and why.

-- A decision about a message or one of its recipients. Partitioned by month, so that old ones are dropped
-- without work; decision-store.ts creates the partitions. There are no foreign keys: decisions outlive what
-- they were about.
create table mail_decisions (
  id uuid not null,
  decided_at timestamptz not null,
  policy text not null check (policy in
    ('greylist', 'sender', 'submission', 'rate', 'list', 'external', 'invitation', 'booking', 'server')),
  -- a name from reasons.ts
  reason text not null,
  direction text not null check (direction in ('in', 'out')),
  -- the account, and the recipient or the user who sent; null: nobody here
  wallet_id uuid,
  object_kind text,
  object_id bigint,
  -- envelope sender; empty: the null sender. Addresses of strangers may be replaced by hashes.
  sender text not null,
  -- null: the whole message
  recipient text,
  client_address text,
  -- how the mail server and the message itself call it
  queue_id text,
  message_id text,
  -- what the rule used; JSON of the rule's facts
  facts jsonb not null,
  primary key (decided_at, id)
) partition by range (decided_at);

create index mail_decisions_wallet on mail_decisions (wallet_id, decided_at desc) where wallet_id is not null;
create index mail_decisions_object on mail_decisions (object_id, decided_at desc) where object_id is not null;
create index mail_decisions_queue on mail_decisions (queue_id) where queue_id is not null;
create index mail_decisions_sender on mail_decisions (sender, decided_at desc);
create index mail_decisions_recipient on mail_decisions (recipient, decided_at desc);
