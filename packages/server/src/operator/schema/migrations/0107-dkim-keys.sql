-- Each domain may have DKIM keys of its own. The mail flow creates them in the background.

-- Keys with which the mail of a domain is signed. Retired ones stay without their private key, so that their
-- selectors aren't used again.
create table dkim_keys (
  domain_id bigint not null references domains on delete cascade,
  selector text not null,
  algorithm text not null check (algorithm in ('rsa', 'ed25519')),
  -- value of p= in the DNS
  public_key text not null,
  -- PKCS #8, sealed; null once the key doesn't sign any more
  private_key bytea,
  state text not null check (state in ('published', 'active', 'retiring', 'retired')),
  -- when it came into its state
  since timestamptz not null,
  -- since when its record has been seen without a break; null: not seen at the last check
  visible_since timestamptz,
  -- last answer of the domain's name servers
  checked_at timestamptz,
  primary key (domain_id, selector)
);

create index dkim_keys_state on dkim_keys (state, since);
