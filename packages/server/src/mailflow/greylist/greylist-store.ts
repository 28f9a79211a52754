import { sql } from 'kysely'
import type { Pool } from 'pg'
import type { Db } from '../../platform/db/database.ts'
import { inOrder, runPrepared } from '../../platform/db/prepared.ts'
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
  text: `select q.n,
    (select json_build_object('firstSeen', ${since('first_seen')}, 'lastSeen', ${since('last_seen')},
        'attempts', attempts, 'passedAt', ${since('passed_at')})
      from greylist_contacts where ${sameRecipient} and ${sameSender} and network = q.network) as contact,
    (select ${since('released_at')}::bigint from greylist_releases
      where ${sameRecipient} and ${sameSender}) as "letThroughAt",
    (select ${since('since')}::bigint from mail_correspondents
      where user_id = q.user_id and address = q.correspondent) as "correspondentSince",
    (select ${learnedJson} from greylist_servers where ${sameServer}) as "knownServer",
    array(select ${since('passed_at')}::bigint from greylist_contacts
      where ${sameServer} and passed_at is not null and not (${sameRecipient} and ${sameSender})
      order by passed_at desc limit q.contacts) as "passedContacts",
    (select ${learnedJson} from greylist_code_senders where sender_domain = q.sender_domain) as "oneTimeCodes",
    array(select entry from mail_allowed_senders
      where user_id = q.user_id and entry = any(q.entries)) as "allowedSenders"
    from json_to_recordset($1) as q(n integer, recipient_kind text, recipient_id bigint, user_id bigint,
      sender_domain text, sender_local text, network text, correspondent text, entries text[], contacts integer)`,
}

type HistoryRow = FoundHistory['history'] & Pick<FoundHistory, 'allowedSenders'> & { readonly n: number }

/** Reads everything that greylisting knows about a message. */
export async function readHistory(db: Db, query: HistoryQuery): Promise<FoundHistory> {
  const [found] = await readHistories(db, [query])
  if (found === undefined) throw new Error('one history was asked for, and none was returned')
  return found
}

/** Reads everything that greylisting knows about messages, in one statement. */
export async function readHistories(
  on: Pool | Db,
  queries: readonly HistoryQuery[],
): Promise<FoundHistory[]> {
  const asked = queries.map(({ key, correspondent, entries, contacts }, n) => ({
    ...{ n, correspondent, entries, contacts, ...columnsOf(key) },
    user_id: key.recipientKind === 'user' ? key.recipientId : null,
  }))
  const rows = await runPrepared<HistoryRow>(on, historiesOf, [JSON.stringify(asked)])
  return inOrder(rows, queries.length).map((row) => {
    if (row === undefined) throw new Error('a select from an outer list returned too few rows')
    const { n: _, allowedSenders, ...history } = row
    return { history, allowedSenders }
  })
}

function columnsOf(key: ContactKey) {
  return {
    recipient_kind: key.recipientKind,
    recipient_id: key.recipientId,
    sender_domain: key.senderDomain,
    sender_local: key.senderLocal,
    network: key.network,
  }
}

type Windows = Pick<GreylistSettings, 'retryWindow' | 'memory' | 'refresh'>

/** What a decision remembers of its contact. */
export interface MemoryWrite {
  readonly key: ContactKey
  readonly memory: GreylistMemory
}

const time = (value: string) => `to_timestamp(${value}::float8)`
const hasExpired = `excluded.first_seen - least(c.last_seen, excluded.last_seen)
  > make_interval(secs => case when c.passed_at is null then $3::float8 else $4::float8 end)`

/** Rows are written in the order of their keys, so that processes can't block each other. */
const memoriesOf = {
  name: 'greylist-memories',
  text: `with contacts as (insert into greylist_contacts as c (recipient_kind, recipient_id, sender_domain, sender_local,
        network, first_seen, last_seen, attempts, passed_at)
      select recipient_kind, recipient_id, sender_domain, sender_local, network, ${time('first_seen')},
        ${time('last_seen')}, attempts, ${time('passed_at')}
      from json_to_recordset($1) as q(recipient_kind text, recipient_id bigint, sender_domain text, sender_local text,
        network text, first_seen bigint, last_seen bigint, attempts integer, passed_at bigint)
      order by recipient_id, recipient_kind, sender_domain, sender_local, network
      on conflict (recipient_id, recipient_kind, sender_domain, sender_local, network) do update set
        first_seen = case when ${hasExpired} then excluded.first_seen else least(c.first_seen, excluded.first_seen) end,
        last_seen = excluded.last_seen,
        attempts = case when ${hasExpired} then excluded.attempts else greatest(c.attempts, excluded.attempts) end,
        passed_at = case when ${hasExpired} then excluded.passed_at else least(c.passed_at, excluded.passed_at) end)
    insert into greylist_servers as l (sender_domain, network, since, last_seen)
      select sender_domain, network, ${time('since')}, ${time('last_seen')}
      from json_to_recordset($2) as q(sender_domain text, network text, since bigint, last_seen bigint)
      order by sender_domain, network
      on conflict (sender_domain, network) do update set
        since = case when excluded.since - l.last_seen > make_interval(secs => $4::float8) then excluded.since
          else least(l.since, excluded.since) end,
        last_seen = excluded.last_seen
      where l.last_seen > excluded.last_seen
        or l.last_seen <= excluded.last_seen - make_interval(secs => $5::float8)`,
}

/**
 * Writes what decisions remember, each of another contact. Another process may have written in the meantime, so contacts
 * are merged as `mergeContacts` does. Stored times in the future are those of a clock that was turned back since, and
 * count as now. Processes that refresh a server at the same time write it once.
 */
export async function writeMemories(
  on: Pool | Db,
  writes: readonly MemoryWrite[],
  { retryWindow, memory, refresh }: Windows,
): Promise<void> {
  const contacts = writes.flatMap(({ key, memory: { contact } }) => {
    if (contact === null) return []
    const { firstSeen, lastSeen, attempts, passedAt } = contact
    const times = { first_seen: firstSeen, last_seen: lastSeen, passed_at: passedAt }
    return [{ ...columnsOf(key), ...times, attempts }]
  })
  const servers = new Map<string, object>()
  for (const {
    key,
    memory: { knownServer },
  } of writes) {
    if (knownServer === null) continue
    const { senderDomain, network } = key
    servers.set(`${senderDomain} ${network}`, {
      ...{ sender_domain: senderDomain, network },
      ...{ since: knownServer.since, last_seen: knownServer.lastSeen },
    })
  }
  if (contacts.length === 0 && servers.size === 0) return
  const rows = [JSON.stringify(contacts), JSON.stringify([...servers.values()])]
  await runPrepared(on, memoriesOf, [...rows, retryWindow, memory, refresh])
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
