import { eventTypes, operatorEventPrefixes } from '@gatehouse/contract/webhooks/event-types'
import { beforeAll, describe, expect, test } from 'vitest'
import { audit } from '../../platform/audit.ts'
import type { Db } from '../../platform/db/database.ts'
import { catalogues } from '../../platform/i18n/catalogues.ts'
import { makeAccount, type TestAccount } from '../../testing/account-fixture.ts'
import { useTestApp } from '../../testing/test-app.ts'
import { numberEvents } from './feed-store.ts'

const app = useTestApp()
let account: TestAccount

beforeAll(async () => {
  account = await makeAccount(app())
})

const log = (db: Db, event: string, data: Record<string, unknown> = {}) =>
  audit(db, app().clock, {
    tenantId: 0,
    objectType: 'domain',
    objectId: account.domainId,
    event,
    actor: {},
    data,
  })

const read = async (cursor?: string, query = '', who: 'owner' | 'controller' | 'member' = 'owner') =>
  (await account.as(who, `GET /api/v4/events/feed?type=domain.&${cursor ? `cursor=${cursor}&` : ''}${query}`))
    .body

/** The cursor after everything so far. */
const latest = async () => {
  let body = await read(undefined, 'limit=500')
  while (body.hasMore) body = await read(body.cursor, 'limit=500')
  return body.cursor as string
}

describe('the feed of events', () => {
  test('returns events oldest first, with what programs need', async () => {
    const start = await latest()
    await log(app().database.db, 'domain.confirmed', { first: true })
    await account.as('owner', `PUT /api/v4/users/${account.member.id}`, { first_name: 'One' })
    await log(app().database.db, 'domain.configured')
    const body = await read(start)
    expect(body.list).toEqual([
      {
        id: expect.any(String),
        type: 'domain.confirmed',
        time: app().clock.now().toISOString(),
        object: { type: 'domain', id: account.domainId, name: account.domain },
        actor: { kind: 'system', id: null, apiKey: null },
        data: { first: true },
      },
      expect.objectContaining({ type: 'domain.configured' }),
    ])
    expect(body).toMatchObject({ count: 2, hasMore: false })
    expect(await read(body.cursor)).toEqual({ list: [], count: 0, cursor: body.cursor, hasMore: false })
    const { body: all } = await account.as(
      'owner',
      `GET /api/v4/events/feed?cursor=${start}&type=user.updated`,
    )
    expect(all.list).toMatchObject([
      { type: 'user.updated', actor: { kind: 'user', id: account.owner.id, apiKey: null } },
    ])
  })

  test('is read in pages without gaps or repetitions', async () => {
    const start = await latest()
    for (let n = 0; n < 5; n++) await log(app().database.db, 'domain.confirmed', { n })
    const seen: number[] = []
    let cursor = start
    for (;;) {
      const body = await read(cursor, 'limit=2')
      seen.push(...body.list.map((event: { data: { n: number } }) => event.data.n))
      cursor = body.cursor
      if (!body.hasMore) break
    }
    expect(seen).toEqual([0, 1, 2, 3, 4])
  })

  test('shows a controller the same, and a member nothing', async () => {
    expect((await read(undefined, '', 'controller')).count).toBeGreaterThan(0)
    expect((await read(undefined, '', 'member')).count).toBe(0)
  })

  test('shows an event that was written first and committed last, after those that were read meanwhile', async () => {
    const start = await latest()
    const { db } = app().database
    const slow = await db.startTransaction().execute()
    await log(slow, 'domain.confirmed', { who: 'slow' })
    await db.transaction().execute((trx) => log(trx, 'domain.confirmed', { who: 'fast' }))
    const first = await read(start)
    expect(first.list).toMatchObject([{ data: { who: 'fast' } }])
    await slow.commit().execute()
    expect((await read(first.cursor)).list).toMatchObject([{ data: { who: 'slow' } }])
  })

  test('misses nothing while many write and number at once', async () => {
    let cursor = await latest()
    const { db } = app().database
    const seen: number[] = []
    const written = Array.from({ length: 60 }, (_, n) => n)
    let isDone = false
    const writers = Promise.all(
      [0, 1, 2].map(async (writer) => {
        for (const n of written.filter((one) => one % 3 === writer)) {
          await db.transaction().execute((trx) => log(trx, 'domain.confirmed', { n }))
          await numberEvents(db)
        }
      }),
    ).then(() => {
      isDone = true
    })
    for (let last = false; !last; ) {
      last = isDone
      const body = await read(cursor, 'limit=500')
      seen.push(...body.list.map((event: { data: { n: number } }) => event.data.n))
      cursor = body.cursor
    }
    await writers
    expect(seen.toSorted((a, b) => a - b)).toEqual(written)
  })

  test.each(['cursor=x', 'cursor=-1', 'limit=0', 'limit=501'])('refuses %s', async (query) => {
    expect((await account.as('owner', `GET /api/v4/events/feed?${query}`)).status).toBe(422)
  })
})

test('the documented types are the events of accounts', () => {
  const titled = Object.keys(catalogues.en)
    .filter((key) => key.startsWith('event.'))
    .map((key) => key.slice('event.'.length))
    .filter((type) => !operatorEventPrefixes.some((prefix) => type.startsWith(prefix)))
  expect([...eventTypes]).toEqual(titled.toSorted())
})
