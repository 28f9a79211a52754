import { groupStatus } from '@gatehouse/contract/status'
import { beforeEach, describe, expect, test } from 'vitest'
import { day } from '../../platform/clock.ts'
import { purgeJob } from '../../platform/purge.ts'
import { makeAccount, skusOf, type TestAccount } from '../../testing/account-fixture.ts'
import { type Collection, makeObject, newObject, statusesOf } from '../../testing/directory-fixture.ts'
import { jobsDue, makeDomain, setStatus, signInAs } from '../../testing/factories.ts'
import { useTestApp } from '../../testing/test-app.ts'
import type { DirectoryKind } from './object.ts'

const app = useTestApp()
let account: TestAccount

const collections: readonly Collection[] = ['groups', 'resources', 'shared-folders']
const kindOf: Readonly<Record<Collection, DirectoryKind>> = {
  groups: 'group',
  resources: 'resource',
  'shared-folders': 'shared-folder',
}

beforeEach(async () => {
  account = await makeAccount(app())
})

const row = (id: number) =>
  app().database.db.selectFrom('directoryObjects').selectAll().where('id', '=', id).executeTakeFirst()
const purge = async () => {
  await app().jobs.enqueue(app().database.db, purgeJob, {})
  await app().jobs.drain()
}
/** Sessions expire within a month, so the owner signs in again. */
const asOwner = async (route: string, body?: unknown) => {
  const { access_token: token } = await signInAs(app(), account.owner)
  return app().call(route, { token, body })
}

describe.each(collections)('%s', (collection) => {
  const path = `/api/v4/${collection}`
  const kind = kindOf[collection]
  describe('deleting', () => {
    test('ends the subscription immediately and cleans up the back end afterwards', async () => {
      const id = await makeObject(account, collection, { name: 'Gone' })
      await app().jobs.drain()
      const { status, body } = await account.as('owner', `DELETE ${path}/${id}`)
      expect({ status, message: body.message }).toEqual({
        status: 200,
        message: expect.stringMatching(/has been deleted\.$/),
      })
      expect((await account.as('owner', `GET ${path}/${id}`)).status).toBe(404)
      expect((await account.as('owner', `DELETE ${path}/${id}`)).status).toBe(404)
      expect(await skusOf(app(), id)).toEqual({})
      await app().jobs.drain()
      const { groups, resources, folders } = app().backend
      expect([groups, resources, folders].some((known) => known.has(id))).toBe(false)
      expect((await row(id))?.status).toBe(groupStatus.new | groupStatus.deleted)
      // the name is available again, the address is not
      await makeObject(account, collection, { name: 'Gone' })
    })

    test('happens once when requested twice concurrently', async () => {
      const id = await makeObject(account, collection)
      const answers = await Promise.all([
        account.as('owner', `DELETE ${path}/${id}`),
        account.as('controller', `DELETE ${path}/${id}`),
      ])
      expect(statusesOf(answers)).toEqual([200, 404])
      const { list: events } = (
        await account.as('owner', `GET /api/v4/events?objectType=${kind}&object=${id}`)
      ).body
      expect(events.filter((one: { event: string }) => one.event === `${kind}.deleted`)).toHaveLength(1)
    })

    test('completes after the back end recovers from an outage', async () => {
      const id = await makeObject(account, collection)
      app().backend.fail(2)
      await app().jobs.drain()
      await account.as('owner', `DELETE ${path}/${id}`)
      await app().jobs.drain()
      await jobsDue(app())
      await app().jobs.drain()
      expect((await row(id))?.status).toBe(groupStatus.new | groupStatus.deleted)
      expect(await app().jobs.failed()).toEqual([])
    })
  })

  describe('restoring', () => {
    const restore = (id: number, who: 'owner' | 'controller' | 'member' = 'owner') =>
      account.as(who, `POST ${path}/${id}/restore`, {})

    test("restores everything at today's price, including list memberships", async () => {
      const id = await makeObject(account, collection, { name: 'Back' })
      const { email } = (await account.as('owner', `GET ${path}/${id}`)).body
      const outer = await makeObject(account, 'groups', { members: [email, 'x@elsewhere.test'] })
      const members = async () => (await account.as('owner', `GET /api/v4/groups/${outer}`)).body.members
      await app().jobs.drain()
      await account.as('owner', `DELETE ${path}/${id}`)
      expect(await members()).toEqual(['x@elsewhere.test'])
      await app().jobs.drain()
      app().clock.advance(30 * day - 1)
      const { status, body } = await asOwner(`POST ${path}/${id}/restore`, {})
      expect({ status, message: body.message }).toEqual({
        status: 200,
        message: expect.stringMatching(/has been restored\.$/),
      })
      expect(await skusOf(app(), id)).toEqual({ [kind]: 1 })
      await app().jobs.drain()
      const shown = (await asOwner(`GET ${path}/${id}`)).body
      expect(shown).toMatchObject({ name: 'Back', email, deleted_at: null, isReady: true })
      expect((await asOwner(`GET /api/v4/groups/${outer}`)).body.members).toEqual(
        expect.arrayContaining([email, 'x@elsewhere.test']),
      )
      expect((await asOwner(`POST ${path}/${id}/restore`, {})).status).toBe(404)
    })

    test('is rejected after the retention period, when the addresses become available', async () => {
      const id = await makeObject(account, collection)
      const { email } = (await account.as('owner', `GET ${path}/${id}`)).body
      await account.as('owner', `DELETE ${path}/${id}`)
      app().clock.advance(30 * day - 1)
      await purge()
      const create = () => asOwner('POST /api/v4/users', account.newUser({ email }))
      expect((await create()).status).toBe(422)
      app().clock.advance(1)
      expect((await asOwner(`GET ${path}?status=deleted`)).body.total).toBe(0)
      expect((await asOwner(`POST ${path}/${id}/restore`, {})).status).toBe(404)
      await purge()
      await purge()
      expect(await row(id)).toBeUndefined()
      const noted = await app().database.pool.query('select from provisioning where object_id = $1', [id])
      expect(noted.rows).toEqual([])
      expect((await create()).status).toBe(200)
    })

    test('reports every obstacle', async () => {
      const id = await makeObject(account, collection, { name: 'Wanted' })
      await account.as('owner', `DELETE ${path}/${id}`)
      await makeObject(account, collection, { name: 'wanted' })
      const { db } = app().database
      const domainStatus = (status: number) =>
        db.updateTable('domains').set({ status }).where('id', '=', account.domainId).execute()
      await domainStatus(1)
      const { status, body } = await restore(id)
      expect({ status, errors: body.errors }).toEqual({
        status: 422,
        errors: {
          domain: 'This domain isn’t verified yet. Verify it first.',
          name: ['This name is already in use in this domain.'],
        },
      })
      await domainStatus(50)
      await db.deleteFrom('directoryObjects').where('name', '=', 'wanted').execute()
      const sale = (active: boolean) =>
        db.updateTable('skus').set({ active }).where('title', '=', kind).execute()
      await sale(false)
      try {
        expect((await restore(id)).body.errors).toEqual({ skus: 'This isn’t on sale.' })
        expect((await row(id))?.deletedAt).not.toBeNull()
      } finally {
        await sale(true)
      }
      await setStatus(app(), account.owner, 35 | 64)
      expect((await restore(id, 'controller')).body.message).toBe(
        'This account is unpaid. Top up the balance before you add anything.',
      )
      await setStatus(app(), account.owner, 35)
      expect((await restore(id, 'member')).status).toBe(403)
      expect((await restore(id, 'controller')).status).toBe(200)
    })

    test('is billed once when requested twice concurrently', async () => {
      const id = await makeObject(account, collection)
      await account.as('owner', `DELETE ${path}/${id}`)
      const answers = await Promise.all([restore(id), restore(id, 'controller'), restore(id)])
      expect(statusesOf(answers)).toEqual([200, 404, 404])
      expect(await skusOf(app(), id)).toEqual({ [kind]: 1 })
    })
  })
})

describe('an address belongs to one object', () => {
  test('across all kinds, including deleted objects', async () => {
    const { domain } = account
    const group = await makeObject(account, 'groups', { email: `one@${domain}` })
    const folder = await makeObject(account, 'shared-folders', { aliases: [`two@${domain}`] })
    await account.as('owner', `DELETE /api/v4/groups/${group}`)
    await account.as('owner', `DELETE /api/v4/shared-folders/${folder}`)
    for (const email of [`one@${domain}`, `two@${domain}`, `mail-${folder}@${domain}`]) {
      const bodies: [string, Record<string, unknown>][] = [
        ['users', account.newUser({ email })],
        ['users', account.newUser({ aliases: [email] })],
        ['groups', newObject(account, 'groups', { email })],
        ['shared-folders', newObject(account, 'shared-folders', { aliases: [email] })],
      ]
      for (const [path, body] of bodies) {
        expect((await account.as('owner', `POST /api/v4/${path}`, body)).status, `${path} ${email}`).toBe(422)
      }
    }
  })

  test('permanently in a public domain', async () => {
    const open = `public${account.owner.id}.test`
    await makeDomain(app(), open)
    const alias = `post@${open}`
    const id = await makeObject(account, 'shared-folders', { aliases: [alias] })
    await account.as('owner', `DELETE /api/v4/shared-folders/${id}`)
    await app().jobs.drain()
    app().clock.advance(400 * day)
    await purge()
    expect(await row(id)).toBeUndefined()
    const answer = await asOwner(
      'POST /api/v4/shared-folders',
      newObject(account, 'shared-folders', { aliases: [alias] }),
    )
    expect(answer.body.errors).toEqual({ aliases: { 0: 'This entry is already in use.' } })
  })
})

describe('a restored list', () => {
  test('is not added back to lists where it would close a loop', async () => {
    const { domain } = account
    const [a, b, c] = [`a@${domain}`, `b@${domain}`, `c@${domain}`]
    const third = await makeObject(account, 'groups', { email: c, members: ['x@elsewhere.test'] })
    const second = await makeObject(account, 'groups', { email: b, members: [c] })
    const first = await makeObject(account, 'groups', { email: a, members: [b, 'x@elsewhere.test'] })
    await account.as('owner', `DELETE /api/v4/groups/${second}`)
    expect((await account.as('owner', `PUT /api/v4/groups/${third}`, { members: [a] })).status).toBe(200)
    expect((await account.as('owner', `POST /api/v4/groups/${second}/restore`, {})).status).toBe(200)
    const members = async (id: number) => (await account.as('owner', `GET /api/v4/groups/${id}`)).body.members
    expect([await members(first), await members(second), await members(third)]).toEqual([
      ['x@elsewhere.test'],
      [c],
      [a],
    ])
  })
})

describe('deleting the account', () => {
  test('deletes its lists, resources and folders too', async () => {
    const ids: number[] = []
    for (const collection of collections) ids.push(await makeObject(account, collection))
    await app().jobs.drain()
    await account.as('owner', `DELETE /api/v4/users/${account.owner.id}`)
    await app().jobs.drain()
    for (const id of ids) {
      expect(await row(id)).toMatchObject({ status: groupStatus.new | groupStatus.deleted })
      expect(await skusOf(app(), id)).toEqual({})
    }
    const { rows } = await app().database.pool.query(
      `select event from event_log where object_id = any($1) and event like '%.deleted' order by event`,
      [ids],
    )
    expect(rows.map((one: { event: string }) => one.event)).toEqual([
      'group.deleted',
      'resource.deleted',
      'shared-folder.deleted',
    ])
    expect(await app().jobs.failed()).toEqual([])
  })

  test('deletes many objects in batches', async () => {
    for (let number = 0; number < 60; number++) await makeObject(account, 'resources')
    await account.as('owner', `DELETE /api/v4/users/${account.owner.id}`)
    await app().jobs.drain()
    const { rows } = await app().database.pool.query(
      'select from directory_objects where wallet_id = $1 and deleted_at is null',
      [account.owner.walletId],
    )
    expect(rows).toEqual([])
  })
})
