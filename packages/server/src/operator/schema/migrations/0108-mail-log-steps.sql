-- Steps from the logs of mail servers are kept, so that people can see whether a message was delivered.

-- A line of a mail server's log. Partitioned by month like mail_decisions.
create table mail_log_steps (
  id uuid not null,
  logged_at timestamptz not null,
  -- name of the mail server
  server text not null,
  queue_id text not null,
  event text not null check (event in ('received', 'message-id', 'queued', 'sent', 'deferred', 'bounced', 'expired',
    'notified', 'held', 'released', 'removed')),
  -- IP address of the sending server or program
  client_address text,
  -- addresses of the envelope; those of strangers may be replaced by hashes
  sender text,
  recipient text,
  original_recipient text,
  message_id text,
  size bigint,
  relay text,
  -- enhanced status code and answer of the other server
  status text,
  response text,
  -- queue id in the same mail server, to which a content filter passed the message
  next_queue_id text,
  primary key (logged_at, id)
) partition by range (logged_at);

create index mail_log_steps_queue on mail_log_steps (queue_id, logged_at);
create index mail_log_steps_sender on mail_log_steps (sender) where sender is not null;
create index mail_log_steps_recipient on mail_log_steps (recipient) where recipient is not null;

-- How far a log was read. Written with the steps, so that each line is recorded once.
create table mail_log_positions (
  -- host and path
  name text primary key,
  inode text not null,
  -- bytes read
  position bigint not null,
  -- hash of the beginning of the file, which tells it from another that got its inode
  beginning text not null,
  updated_at timestamptz not null
);
