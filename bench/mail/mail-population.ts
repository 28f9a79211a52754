import pg from 'pg'
import { databaseAddress, type RunningServer } from '../server-process.ts'

/** Accounts with a domain each, their users, and the domains that write to them. */
export const population = { accounts: 200, users: 10_000, senders: 500 }

/** Contacts of each user that wait for their first retry. */
const waiting = 4

/**
 * Fills the database of a server with users who have a past: for each user `u<n>@a<n>.test`, a known contact
 * `k<n>@s<n>.test`, a correspondent `c<n>@s<n>.test`, and contacts `w<n>.<m>@s<n>.test` that wait.
 */
export async function populate(server: RunningServer): Promise<void> {
  const client = new pg.Client({ connectionString: await databaseAddress(server.dataDir) })
  await client.connect()
  try {
    await client.query('set session_replication_role = replica')
    const { accounts, users, senders } = population
    await client.query(`create temporary table made as select 200000000 + i::bigint as id, i,
      200000000 + (i % ${accounts})::bigint as owner_id, 'u' || i || '@a' || i % ${accounts} || '.test' as email,
      'a' || i % ${accounts} || '.test' as domain, 's' || i % ${senders} || '.test' as sender_domain,
      '10.' || (i % ${senders}) / 250 || '.' || i % ${senders} % 250 || '.0/24' as network
      from generate_series(0, ${users - 1}) i`)
    for (const statement of rows) await client.query(statement)
    await client.query('vacuum analyze')
  } finally {
    await client.end()
  }
}

const rows = [
  `insert into wallets (id, user_id, currency, created_at)
    select gen_random_uuid(), id, 'CHF', now() from made where id = owner_id`,
  `insert into users (id, tenant_id, email, status, wallet_id, created_at, updated_at)
    select m.id, 0, m.email, 35, w.id, now(), now() from made m join wallets w on w.user_id = m.owner_id`,
  `insert into domains (id, tenant_id, namespace, status, type, wallet_id, created_at, updated_at, display_name, token)
    select m.id, 0, m.domain, 19, 4, w.id, now(), now(), m.domain, 'x'
    from made m join wallets w on w.user_id = m.id`,
  `insert into addresses (address, kind, object_id, tenant_id) select email, 'user', id, 0 from made`,
  `insert into user_settings (user_id, key, value) select id, 'first_name', 'Ann' from made`,
  `insert into mail_correspondents (user_id, address, since, last_seen)
    select id, 'c' || i || '@' || sender_domain, now() - interval '9 days', now() from made`,
  `insert into greylist_contacts (recipient_kind, recipient_id, sender_domain, sender_local, network, first_seen,
      last_seen, attempts, passed_at)
    select 'user', id, sender_domain, 'k' || i, network, now() - interval '20 days', now() - interval '2 hours', 9,
      now() - interval '20 days' from made`,
  `insert into greylist_contacts (recipient_kind, recipient_id, sender_domain, sender_local, network, first_seen,
      last_seen, attempts)
    select 'user', id, sender_domain, 'w' || i || 'x' || n, network, now() - interval '10 minutes',
      now() - interval '10 minutes', 1 from made, generate_series(1, ${waiting}) n`,
  // constant load is unusual, which would otherwise be taken for a stolen account
  `insert into user_sending (user_id, confirmed_until) select id, now() + interval '1 day' from made`,
]

/** One request for each recipient, as Postfix asks: attributes of `check_policy_service`. */
export type Attributes = Readonly<Record<string, string>>

/** Makes the requests of a realistic mixture of mail, always the same ones. */
export class MailTraffic {
  /** Told apart from the requests of other runs, so that new contacts are new. */
  readonly #run: string
  #count = 0
  #waited = new Map<number, number>()
  #state: number

  constructor(run: string, seed: number) {
    this.#run = run
    this.#state = seed
  }

  /** The requests of one message from outside: 60 % of known contacts, 10 % of correspondents, 20 % new, 10 % retries. */
  incoming(): Attributes[] {
    const share = this.#random(100)
    const user = this.#random(population.users)
    const number = ++this.#count
    if (share < 60) return [arrival(user, `k${user}`, number)]
    if (share < 70) return [arrival(user, `c${user}`, number)]
    const next = (this.#waited.get(user) ?? 0) + 1
    if (share < 80 && next <= waiting) {
      this.#waited.set(user, next)
      return [arrival(user, `w${user}x${next}`, number)]
    }
    return [arrival(user, `n.${this.#run}${letters(number)}`, number)]
  }

  /** The requests of one message: of ten, nine come in and one is sent by a user to one recipient. */
  message(): Attributes[] {
    if (this.#random(10) > 0) return this.incoming()
    const user = this.#random(population.users)
    const recipient = `r${this.#random(50)}x${user}@s${user % population.senders}.test`
    const number = ++this.#count
    const login = `u${user}@a${user % population.accounts}.test`
    const common = {
      ...attributes(login, recipient, '192.0.2.7', number),
      ...{
        sasl_username: login,
        sasl_method: 'PLAIN',
        recipient_count: '1',
        queue_id: `${this.#run}${number}`,
      },
    }
    return [
      { ...common, protocol_state: 'RCPT', recipient_count: '0', queue_id: '' },
      { ...common, protocol_state: 'DATA' },
    ]
  }

  /** xorshift32 */
  #random(below: number): number {
    this.#state ^= this.#state << 13
    this.#state ^= this.#state >>> 17
    this.#state ^= this.#state << 5
    return (this.#state >>> 0) % below
  }
}

function arrival(user: number, local: string, number: number): Attributes {
  const sender = user % population.senders
  const address = `10.${Math.floor(sender / 250)}.${sender % 250}.25`
  return attributes(
    `${local}@s${sender}.test`,
    `u${user}@a${user % population.accounts}.test`,
    address,
    number,
  )
}

/** What Postfix 3.7 sends at RCPT. */
function attributes(sender: string, recipient: string, client: string, number: number): Attributes {
  return {
    ...{ request: 'smtpd_access_policy', protocol_state: 'RCPT', protocol_name: 'ESMTP' },
    ...{
      client_address: client,
      client_name: 'unknown',
      client_port: '40512',
      reverse_client_name: 'unknown',
    },
    ...{ server_address: '192.0.2.1', server_port: '25', helo_name: 'mail.sender.test', sender, recipient },
    ...{ recipient_count: '0', queue_id: '', instance: `${number.toString(16)}.6745a1b2.${client}.0` },
    ...{ size: '10240', etrn_domain: '', stress: '', sasl_method: '', sasl_username: '', sasl_sender: '' },
    ...{ ccert_subject: '', ccert_issuer: '', ccert_fingerprint: '', ccert_pubkey_fingerprint: '' },
    ...{
      encryption_protocol: 'TLSv1.3',
      encryption_cipher: 'TLS_AES_256_GCM_SHA384',
      encryption_keysize: '256',
    },
    policy_context: '',
  }
}

/** A number in letters: greylisting takes digits for a changing part of an address. */
function letters(number: number): string {
  return number.toString(26).replaceAll(/\d/g, (digit) => String.fromCharCode(113 + Number(digit)))
}
