import fc from 'fast-check'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeUser } from '../../testing/factories.ts'
import { useTestApp } from '../../testing/test-app.ts'
import { now } from './greylist.test-data.ts'
import { type Contact, defaultGreylistSettings as settings } from './greylist-facts.ts'
import { mergeContacts } from './greylist-memory.ts'
import { purgeGreylist } from './greylist-purge-store.ts'
import { type HistoryQuery, readHistory, writeMemories } from './greylist-store.ts'

const app = useTestApp()
const day = 86_400

const key = {
  senderLocal: 'jane',
  senderDomain: 'sender.test',
  network: '192.0.2.0/24',
  recipientKind: 'group',
  recipientId: 7,
}

const query: HistoryQuery = { key, correspondent: 'jane@sender.test', entries: [], contacts: 4 }
const db = () => app().database.db
const write = (contact: Contact | null, change: Partial<typeof key> = {}) =>
  writeMemories(db(), [{ key: { ...key, ...change }, memory: { contact, knownServer: null } }], settings)
const historyOf = async (change: Partial<typeof key> = {}) =>
  (await readHistory(db(), { ...query, key: { ...key, ...change } })).history

beforeEach(async () => {
  await db().deleteFrom('greylistContacts').execute()
  await db().deleteFrom('greylistServers').execute()
})

const contactAt = (firstSeen: number, passedAt: number | null = null): Contact => ({
  ...{ firstSeen, lastSeen: passedAt ?? firstSeen, attempts: 1, passedAt },
})

describe('a contact', () => {
  test('is read as it was written', async () => {
    expect((await historyOf()).contact).toBeNull()
    const contact = { firstSeen: now - 300, lastSeen: now, attempts: 2, passedAt: now }
    await write(contact)
    expect((await historyOf()).contact).toEqual(contact)
    for (const change of [
      { senderLocal: 'ann' },
      { senderDomain: 'other.test' },
      { network: '192.0.3.0/24' },
      { recipientKind: 'resource' },
      { recipientId: 8 },
    ]) {
      expect((await historyOf(change)).contact).toBeNull()
    }
  })

  test('that two processes write becomes what the rule makes of both', async () => {
    const time = fc.integer({ min: now - 60 * day, max: now })
    const anyContact = fc
      .record({
        firstSeen: time,
        length: fc.nat(day),
        attempts: fc.integer({ min: 1, max: 9 }),
        hasPassed: fc.boolean(),
      })
      .map(({ firstSeen, length, attempts, hasPassed }): Contact => {
        const lastSeen = firstSeen + length
        return { firstSeen, lastSeen, attempts, passedAt: hasPassed ? lastSeen : null }
      })
    const check = fc.asyncProperty(anyContact, anyContact, async (left, right) => {
      await db().deleteFrom('greylistContacts').execute()
      const [older, newer] = left.lastSeen <= right.lastSeen ? [left, right] : [right, left]
      await write(older)
      await write(newer)
      expect((await historyOf()).contact).toEqual(mergeContacts(left, right, settings))
    })
    await fc.assert(check, { numRuns: 60 })
  })

  test('that passed elsewhere at the same moment stays passed', async () => {
    await write({ firstSeen: now - 300, lastSeen: now, attempts: 2, passedAt: now })
    await write({ firstSeen: now - 300, lastSeen: now, attempts: 2, passedAt: null })
    expect((await historyOf()).contact).toMatchObject({ passedAt: now })
  })

  test('from before the clock was turned back starts at the present time', async () => {
    await write(contactAt(now + 400 * day))
    await write({ ...contactAt(now), attempts: 2 })
    expect((await historyOf()).contact).toEqual({ ...contactAt(now), attempts: 2 })
    await write(contactAt(now + 400 * day, now + 400 * day))
    await write({ firstSeen: now, lastSeen: now + 5, attempts: 3, passedAt: now })
    expect((await historyOf()).contact).toEqual({
      firstSeen: now,
      lastSeen: now + 5,
      attempts: 3,
      passedAt: now,
    })
  })
})

describe('a known server', () => {
  const known = (since: number, lastSeen: number) =>
    writeMemories(db(), [{ key, memory: { contact: null, knownServer: { since, lastSeen } } }], settings)

  test('keeps its first time, and is written once an hour', async () => {
    await known(now, now)
    await known(now + 3599, now + 3599)
    expect((await historyOf()).knownServer).toEqual({ since: now, lastSeen: now })
    await known(now + 3600, now + 3600)
    expect((await historyOf()).knownServer).toEqual({ since: now, lastSeen: now + 3600 })
  })

  test('that expired is a new one', async () => {
    await known(now - 40 * day, now - 40 * day)
    await known(now, now)
    expect((await historyOf()).knownServer).toEqual({ since: now, lastSeen: now })
  })

  test('can be written along with a contact', async () => {
    const contact = contactAt(now, now)
    await writeMemories(
      db(),
      [{ key, memory: { contact, knownServer: { since: now, lastSeen: now } } }],
      settings,
    )
    expect(await historyOf()).toMatchObject({ contact, knownServer: { since: now, lastSeen: now } })
  })
})

test('the latest contacts of a domain and network that passed are read, except the own one', async () => {
  await write(contactAt(now, now))
  await write(contactAt(now), { senderLocal: 'pending' })
  await write(contactAt(now, now), { network: '192.0.3.0/24' })
  await write(contactAt(now, now), { senderDomain: 'other.test' })
  for (const age of [5, 3, 1, 4, 2]) await write(contactAt(now - age, now - age), { recipientId: age })
  expect((await historyOf()).passedContacts).toEqual([1, 2, 3, 4].map((age) => now - age))
})

describe('the purge', () => {
  const purge = (time: number) => purgeGreylist(db(), new Date(time * 1000), settings)
  const locals = async () => {
    const rows = await db()
      .selectFrom('greylistContacts')
      .select('senderLocal')
      .orderBy('senderLocal')
      .execute()
    return rows.map(({ senderLocal }) => senderLocal)
  }
  let recipient: { recipientKind: string; recipientId: number }

  beforeAll(async () => {
    recipient = { recipientKind: 'user', recipientId: (await makeUser(app())).id }
  })

  test('removes what has expired, and nothing before', async () => {
    await write(contactAt(now - 7 * day), { ...recipient, senderLocal: 'pending' })
    await write(contactAt(now - 7 * day - 1), { ...recipient, senderLocal: 'pending-expired' })
    await write(contactAt(now - 35 * day, now - 35 * day), { ...recipient, senderLocal: 'passed' })
    await write(contactAt(now - 35 * day - 1, now - 35 * day - 1), {
      ...recipient,
      senderLocal: 'passed-expired',
    })
    await purge(now)
    expect(await locals()).toEqual(['passed', 'pending'])
  })

  test('removes contacts of recipients that no longer exist', async () => {
    await write(contactAt(now), { recipientKind: 'user', recipientId: 999_999 })
    await write(contactAt(now))
    await purge(now)
    expect(await locals()).toEqual([])
  })

  test('moves times into the present after the clock was turned back', async () => {
    await write(contactAt(now, now), recipient)
    await purge(now - 100 * day)
    const past = now - 100 * day
    expect((await historyOf(recipient)).contact).toEqual(contactAt(past, past))
    await purge(past + 36 * day)
    expect(await locals()).toEqual([])
  })
})
