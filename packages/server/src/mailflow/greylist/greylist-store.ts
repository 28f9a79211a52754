import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { Contact, ContactKey, GreylistFacts, GreylistSettings, Learned } from './greylist-facts.ts'
import type { GreylistMemory } from './greylist-memory.ts'

/** What the history of a message is found by. */
export interface HistoryQuery {
  readonly key: ContactKey
  /** Canonical address of the sender without its tag, as correspondents are stored. */
  readonly correspondent: string
  /** Every entry that would name the sender. */
  readonly entries: readonly string[]
  /** How many contacts that passed are of interest. */
  readonly contacts: number
}

export interface FoundHistory {
  readonly history: GreylistFacts['history']
  /** The recipient's entries that name the sender. */
  readonly allowedSenders: readonly string[]
}

const seconds = (column: string) => sql`floor(extract(epoch from ${sql.ref(column)}))`
const moment = (time: number | null) => sql`to_timestamp(${time}::float8)`
const span = (length: number) => sql`make_interval(secs => ${length}::float8)`

/** Reads everything that greylisting knows about a message, in one statement. */
export async function readHistory(db: Db, query: HistoryQuery): Promise<FoundHistory> {
  const { key, correspondent, entries, contacts } = query
  const recipient = sql`recipient_id = ${key.recipientId} and recipient_kind = ${key.recipientKind}`
  const sender = sql`sender_domain = ${key.senderDomain} and sender_local = ${key.senderLocal}`
  const server = sql`sender_domain = ${key.senderDomain} and network = ${key.network}`
  const userId = key.recipientKind === 'user' ? key.recipientId : null
  const learned = sql`json_build_object('since', ${seconds('since')}, 'lastSeen', ${seconds('last_seen')})`
  const { rows } = await sql<{
    contact: Contact | null
    letThroughAt: number | null
    correspondentSince: number | null
    knownServer: Learned | null
    passedContacts: number[]
    oneTimeCodes: Learned | null
    allowedSenders: string[]
  }>`select
    (select json_build_object('firstSeen', ${seconds('first_seen')}, 'lastSeen', ${seconds('last_seen')},
        'attempts', attempts, 'passedAt', ${seconds('passed_at')})
      from greylist_contacts where ${recipient} and ${sender} and network = ${key.network}) as contact,
    (select ${seconds('released_at')}::bigint from greylist_releases
      where ${recipient} and ${sender}) as let_through_at,
    (select ${seconds('since')}::bigint from mail_correspondents
      where user_id = ${userId} and address = ${correspondent}) as correspondent_since,
    (select ${learned} from greylist_servers where ${server}) as known_server,
    array(select ${seconds('passed_at')}::bigint from greylist_contacts
      where ${server} and passed_at is not null and not (${recipient} and ${sender})
      order by passed_at desc limit ${contacts}) as passed_contacts,
    (select ${learned} from greylist_code_senders where sender_domain = ${key.senderDomain}) as one_time_codes,
    array(select entry from mail_allowed_senders
      where user_id = ${userId} and entry = any(${entries}::text[])) as allowed_senders`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('a select without from returned no row')
  const { allowedSenders, ...history } = row
  return { history, allowedSenders }
}

type Windows = Pick<GreylistSettings, 'retryWindow' | 'memory' | 'refresh'>

/**
 * Writes what a decision remembers. Another process may have written in the meantime, so contacts are merged as
 * `mergeContacts` does. Stored times in the future are those of a clock that was turned back since, and count as now.
 */
export async function writeMemory(
  db: Db,
  key: ContactKey,
  { contact, knownServer }: GreylistMemory,
  windows: Windows,
): Promise<void> {
  const contactWrite = contact === null ? undefined : upsertContact(key, contact, windows)
  const serverWrite = knownServer === null ? undefined : upsertServer(key, knownServer, windows)
  if (contactWrite !== undefined && serverWrite !== undefined) {
    await sql`with written as (${contactWrite}) ${serverWrite}`.execute(db)
  } else {
    await (contactWrite ?? serverWrite)?.execute(db)
  }
}

function upsertContact(key: ContactKey, contact: Contact, { retryWindow, memory }: Windows) {
  const hasExpired = sql`excluded.first_seen - least(c.last_seen, excluded.last_seen)
    > case when c.passed_at is null then ${span(retryWindow)} else ${span(memory)} end`
  return sql`insert into greylist_contacts as c (recipient_kind, recipient_id, sender_domain, sender_local, network,
      first_seen, last_seen, attempts, passed_at)
    values (${key.recipientKind}, ${key.recipientId}, ${key.senderDomain}, ${key.senderLocal}, ${key.network},
      ${moment(contact.firstSeen)}, ${moment(contact.lastSeen)}, ${contact.attempts}, ${moment(contact.passedAt)})
    on conflict (recipient_id, recipient_kind, sender_domain, sender_local, network) do update set
      first_seen = case when ${hasExpired} then excluded.first_seen else least(c.first_seen, excluded.first_seen) end,
      last_seen = excluded.last_seen,
      attempts = case when ${hasExpired} then excluded.attempts else greatest(c.attempts, excluded.attempts) end,
      passed_at = case when ${hasExpired} then excluded.passed_at else least(c.passed_at, excluded.passed_at) end`
}

function upsertServer({ senderDomain, network }: ContactKey, known: Learned, windows: Windows) {
  return upsertLearned('greylist_servers', { sender_domain: senderDomain, network }, known, windows)
}

/** Writes that a domain sends one-time codes. */
export async function writeCodeSender(
  db: Db,
  { domain, ...known }: Learned & { readonly domain: string },
  windows: Windows,
): Promise<void> {
  await upsertLearned('greylist_code_senders', { sender_domain: domain }, known, windows).execute(db)
}

/** Processes that refresh a record at the same time write it once. */
function upsertLearned(
  table: 'greylist_servers' | 'greylist_code_senders',
  key: Readonly<Record<string, string>>,
  { since, lastSeen }: Learned,
  { memory, refresh }: Windows,
) {
  const columns = sql.join(Object.keys(key).map((column) => sql.ref(column)))
  return sql`insert into ${sql.table(table)} as l (${columns}, since, last_seen)
    values (${sql.join(Object.values(key))}, ${moment(since)}, ${moment(lastSeen)})
    on conflict (${columns}) do update set
      since = case when excluded.since - l.last_seen > ${span(memory)} then excluded.since
        else least(l.since, excluded.since) end,
      last_seen = excluded.last_seen
    where l.last_seen > excluded.last_seen or l.last_seen <= excluded.last_seen - ${span(refresh)}`
}

/** Returns since when a domain is known for one-time codes. */
export async function readCodeSender(db: Db, domain: string): Promise<Learned | null> {
  const { rows } = await sql<Learned>`select ${seconds('since')}::bigint as since,
    ${seconds('last_seen')}::bigint as last_seen from greylist_code_senders where sender_domain = ${domain}`.execute(
    db,
  )
  return rows[0] ?? null
}

/** Lets the mail of a sender to a recipient through from now on. */
export async function writeRelease(
  db: Db,
  { recipientKind, recipientId, senderDomain, senderLocal }: Omit<ContactKey, 'network'>,
  releasedAt: Date,
): Promise<void> {
  await sql`insert into greylist_releases (recipient_kind, recipient_id, sender_domain, sender_local, released_at)
    values (${recipientKind}, ${recipientId}, ${senderDomain}, ${senderLocal}, ${releasedAt})
    on conflict (recipient_id, recipient_kind, sender_domain, sender_local)
      do update set released_at = excluded.released_at`.execute(db)
}

/** A contact as the command line shows it. */
export interface StoredContact extends Contact {
  readonly network: string
}

/** Returns the contacts of a sender and a recipient, from all networks. */
export async function contactsOf(db: Db, key: Omit<ContactKey, 'network'>): Promise<StoredContact[]> {
  const { rows } =
    await sql<StoredContact>`select network, attempts, ${seconds('first_seen')}::bigint as first_seen,
      ${seconds('last_seen')}::bigint as last_seen, ${seconds('passed_at')}::bigint as passed_at
    from greylist_contacts where recipient_id = ${key.recipientId} and recipient_kind = ${key.recipientKind}
      and sender_domain = ${key.senderDomain} and sender_local = ${key.senderLocal}
    order by last_seen desc limit 50`.execute(db)
  return rows
}
