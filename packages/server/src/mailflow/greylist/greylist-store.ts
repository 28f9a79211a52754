import { sql } from 'kysely'
import type { Pool } from 'pg'
import type { Db } from '../../platform/db/database.ts'
import { columnArray, rowsFrom, runPrepared, withoutFlush } from '../../platform/db/prepared.ts'
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

const since = (column: string) => `floor(extract(epoch from ${column}))`
const learnedJson = `json_build_object('since', ${since('since')}, 'lastSeen', ${since('last_seen')})`
const sameRecipient = 'recipient_id = q.recipient_id and recipient_kind = q.recipient_kind'
const sameSender = 'sender_domain = q.sender_domain and sender_local = q.sender_local'
const sameServer = 'sender_domain = q.sender_domain and network = q.network'

const historiesOf = {
  name: 'greylist-histories',
  text: `select q.n::integer,
    (select json_build_object('firstSeen', ${since('first_seen')}, 'lastSeen', ${since('last_seen')},
        'attempts', attempts, 'passedAt', ${since('passed_at')})
      from greylist_contacts where ${sameRecipient} and ${sameSender} and network = q.network) as contact,
    (select ${since('released_at')}::bigint from greylist_releases
      where ${sameRecipient} and ${sameSender}) as "letThroughAt",
    (select ${since('since')}::bigint from mail_correspondents
      where user_id = q.user_id and address = q.correspondent) as "correspondentSince",
    array(select entry from mail_allowed_senders
      where user_id = q.user_id and entry = any(string_to_array(q.entries, e'\\n'))) as "allowedSenders"
    from ${rowsFrom(['text', 'bigint', 'bigint', 'text', 'text', 'text', 'text', 'text'])}
      with ordinality as q(recipient_kind, recipient_id, user_id, sender_domain, sender_local, network, correspondent,
        entries, n)`,
}

/** Of the contacts that passed, one more is read than needed: one may be that of the message itself. */
const serversOf = {
  name: 'greylist-servers',
  text: `select q.n::integer, (select ${learnedJson} from greylist_servers where ${sameServer}) as "knownServer",
    array(select json_build_object('recipientKind', recipient_kind, 'recipientId', recipient_id,
        'senderLocal', sender_local, 'passedAt', ${since('passed_at')}) from greylist_contacts
      where ${sameServer} and passed_at is not null order by passed_at desc limit q.contacts + 1) as passed,
    (select ${learnedJson} from greylist_code_senders where sender_domain = q.sender_domain) as "oneTimeCodes"
    from ${rowsFrom(['text', 'text', 'integer'])} with ordinality
      as q(sender_domain, network, contacts, n)`,
}

/** What is known about the sender and the recipient of a message, regardless of other mail of the server. */
export type ContactHistory = Pick<FoundHistory, 'allowedSenders'> &
  Pick<FoundHistory['history'], 'contact' | 'letThroughAt' | 'correspondentSince'>

/** What is known about the servers of a domain in a network, regardless of the recipient. */
export interface ServerHistory extends Pick<GreylistFacts['history'], 'knownServer' | 'oneTimeCodes'> {
  /** The contacts that passed last. */
  readonly passed: readonly (Pick<ContactKey, 'recipientKind' | 'recipientId' | 'senderLocal'> & {
    readonly passedAt: number
  })[]
}

/** What the history of a server is found by. */
export type ServerQuery = Pick<ContactKey, 'senderDomain' | 'network'> & Pick<HistoryQuery, 'contacts'>

/** Reads everything that greylisting knows about a message. */
export async function readHistory(db: Db, query: HistoryQuery): Promise<FoundHistory> {
  const [contact] = await readContacts(db, [query])
  const [server] = await readServers(db, [{ ...query.key, contacts: query.contacts }])
  if (contact === undefined || server === undefined) throw new Error('one history was asked for')
  return joinHistory(query, contact, server)
}

/** Joins what is known about a contact with what is known about its server. */
export function joinHistory(
  { key, contacts }: HistoryQuery,
  { allowedSenders, ...contact }: ContactHistory,
  { knownServer, oneTimeCodes, passed }: ServerHistory,
): FoundHistory {
  const isOther = (one: ServerHistory['passed'][number]) =>
    one.senderLocal !== key.senderLocal ||
    one.recipientId !== key.recipientId ||
    one.recipientKind !== key.recipientKind
  const others = passed.filter(isOther).map(({ passedAt }) => passedAt)
  const passedContacts = others.slice(0, contacts)
  return { history: { ...contact, knownServer, passedContacts, oneTimeCodes }, allowedSenders }
}

/** Reads what is known about the senders and recipients of messages, in one statement. */
export async function readContacts(
  on: Pool | Db,
  queries: readonly HistoryQuery[],
): Promise<ContactHistory[]> {
  const rows = await runPrepared<ContactHistory & { readonly n: number }>(on, historiesOf, [
    columnArray(queries, ({ key }) => key.recipientKind),
    columnArray(queries, ({ key }) => key.recipientId),
    columnArray(queries, ({ key }) => (key.recipientKind === 'user' ? key.recipientId : null)),
    columnArray(queries, ({ key }) => key.senderDomain),
    columnArray(queries, ({ key }) => key.senderLocal),
    columnArray(queries, ({ key }) => key.network),
    columnArray(queries, ({ correspondent }) => correspondent),
    columnArray(queries, ({ entries }) => entries.join('\n')),
  ])
  return eachOf(rows, queries.length)
}

/** Reads what is known about servers, in one statement. */
export async function readServers(on: Pool | Db, queries: readonly ServerQuery[]): Promise<ServerHistory[]> {
  const rows = await runPrepared<ServerHistory & { readonly n: number }>(on, serversOf, [
    columnArray(queries, ({ senderDomain }) => senderDomain),
    columnArray(queries, ({ network }) => network),
    columnArray(queries, ({ contacts }) => contacts),
  ])
  return eachOf(rows, queries.length)
}

/** The rows of a select from an outer list, in its order and without their numbers, which begin at 1. */
function eachOf<Row extends { readonly n: number }>(rows: readonly Row[], length: number): Omit<Row, 'n'>[] {
  const ordered: Omit<Row, 'n'>[] = Array.from({ length })
  for (const { n, ...found } of rows) ordered[n - 1] = found
  if (rows.length < length) throw new Error('a select from an outer list returned too few rows')
  return ordered
}

type Windows = Pick<GreylistSettings, 'retryWindow' | 'memory' | 'refresh'>

/** What a decision remembers of its contact. */
export interface MemoryWrite {
  readonly key: ContactKey
  readonly memory: GreylistMemory
}

const time = (value: string) => `to_timestamp(${value}::float8)`
const hasExpired = `excluded.first_seen - least(c.last_seen, excluded.last_seen)
  > make_interval(secs => case when c.passed_at is null then $1::float8 else $2::float8 end)`

/** Rows are written in the order of their keys, so that processes can't block each other. */
const memoriesOf = {
  name: 'greylist-memories',
  text: `with contacts as (insert into greylist_contacts as c (recipient_kind, recipient_id, sender_domain, sender_local,
        network, first_seen, last_seen, attempts, passed_at)
      select q.recipient_kind, q.recipient_id, q.sender_domain, q.sender_local, q.network, ${time('q.first_seen')},
        ${time('q.last_seen')}, q.attempts, ${time('q.passed_at')}
      from ${rowsFrom(['text', 'bigint', 'text', 'text', 'text', 'bigint', 'bigint', 'integer', 'bigint'], 4)} as q(recipient_kind, recipient_id, sender_domain, sender_local, network,
          first_seen, last_seen, attempts, passed_at), ${withoutFlush()}
      order by q.recipient_id, q.recipient_kind, q.sender_domain, q.sender_local, q.network
      on conflict (recipient_id, recipient_kind, sender_domain, sender_local, network) do update set
        first_seen = case when ${hasExpired} then excluded.first_seen else least(c.first_seen, excluded.first_seen) end,
        last_seen = excluded.last_seen,
        attempts = case when ${hasExpired} then excluded.attempts else greatest(c.attempts, excluded.attempts) end,
        passed_at = case when ${hasExpired} then excluded.passed_at else least(c.passed_at, excluded.passed_at) end)
    insert into greylist_servers as l (sender_domain, network, since, last_seen)
      select q.sender_domain, q.network, ${time('q.since')}, ${time('q.last_seen')}
      from ${rowsFrom(['text', 'text', 'bigint', 'bigint'], 13)}
        as q(sender_domain, network, since, last_seen), ${withoutFlush()}
      order by q.sender_domain, q.network
      on conflict (sender_domain, network) do update set
        since = case when excluded.since - l.last_seen > make_interval(secs => $2::float8) then excluded.since
          else least(l.since, excluded.since) end,
        last_seen = excluded.last_seen
      where l.last_seen > excluded.last_seen
        or l.last_seen <= excluded.last_seen - make_interval(secs => $3::float8)`,
}

/**
 * Writes what decisions remember, each of another contact. Another process may have written in the meantime, so contacts
 * are merged as `mergeContacts` does. Stored times in the future are those of a clock that was turned back since, and
 * count as now. Processes that refresh a server at the same time write it once. Doesn't wait for the disk: after a crash
 * of the database server, the senders of its last second are delayed once more.
 */
export async function writeMemories(
  on: Pool | Db,
  writes: readonly MemoryWrite[],
  { retryWindow, memory, refresh }: Windows,
): Promise<void> {
  const contacts = writes.flatMap(({ key, memory: { contact } }) =>
    contact === null ? [] : [{ ...key, ...contact }],
  )
  const learned = writes.flatMap(({ key, memory: { knownServer } }) =>
    knownServer === null ? [] : [{ ...key, ...knownServer }],
  )
  const servers = [
    ...new Map(learned.map((one) => [`${one.senderDomain} ${one.network}`, one] as const)).values(),
  ]
  if (contacts.length === 0 && servers.length === 0) return
  await runPrepared(on, memoriesOf, [
    ...[retryWindow, memory, refresh],
    columnArray(contacts, ({ recipientKind }) => recipientKind),
    columnArray(contacts, ({ recipientId }) => recipientId),
    columnArray(contacts, ({ senderDomain }) => senderDomain),
    columnArray(contacts, ({ senderLocal }) => senderLocal),
    columnArray(contacts, ({ network }) => network),
    columnArray(contacts, ({ firstSeen }) => firstSeen),
    columnArray(contacts, ({ lastSeen }) => lastSeen),
    columnArray(contacts, ({ attempts }) => attempts),
    columnArray(contacts, ({ passedAt }) => passedAt),
    columnArray(servers, ({ senderDomain }) => senderDomain),
    columnArray(servers, ({ network }) => network),
    columnArray(servers, ({ since: from }) => from),
    columnArray(servers, ({ lastSeen }) => lastSeen),
  ])
}

/** Writes that a domain sends one-time codes. */
export async function writeCodeSender(
  db: Db,
  { domain, ...known }: Learned & { readonly domain: string },
  windows: Windows,
): Promise<void> {
  await sql`insert into greylist_code_senders as l (sender_domain, since, last_seen)
    values (${domain}, ${moment(known.since)}, ${moment(known.lastSeen)})
    on conflict (sender_domain) do update set
      since = case when excluded.since - l.last_seen > ${span(windows.memory)} then excluded.since
        else least(l.since, excluded.since) end,
      last_seen = excluded.last_seen
    where l.last_seen > excluded.last_seen
      or l.last_seen <= excluded.last_seen - ${span(windows.refresh)}`.execute(db)
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
