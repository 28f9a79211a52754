import { userStatus } from '@gatehouse/contract/status'
import { beforeEach, describe, expect, test } from 'vitest'
import { purgeJob } from '../../platform/purge.ts'
import { makeAccount, packageOf, skusOf, type TestAccount } from '../../testing/account-fixture.ts'
import { makeObject } from '../../testing/directory-fixture.ts'
import { jobsDue, makeAlias, setStatus, signInAs } from '../../testing/factories.ts'
import { useTestApp } from '../../testing/test-app.ts'

const app = useTestApp({ APP_URL: 'https://portal.gatehouse.test' })
let account: TestAccount
let hosting = ''
let made = 0

beforeEach(async () => {
  account = await makeAccount(app())
  hosting = await packageOf(app(), 'domain-hosting')
})

const nextName = () => `brought${++made}.test`
const bring = (body: Record<string, unknown> = {}, who: 'owner' | 'controller' | 'member' = 'owner') =>
  account.as(who, 'POST /api/v4/domains', { namespace: nextName(), package: hosting, ...body })
const read = async (id: number) => (await account.as('owner', `GET /api/v4/domains/${id}`)).body
const events = async (id: number) => {
  const { rows } = await app().database.pool.query<{ event: string; wallet_id: string }>(
    `select event, wallet_id from event_log where object_type = 'domain' and object_id = $1 order by id`,
    [id],
  )
  expect(rows.every((row) => row.wallet_id === account.owner.walletId)).toBe(true)
  return rows.map((row) => row.event)
}

describe('deleting a domain', () => {
  test('ends its subscription and reserves its name', async () => {
    const { id } = (await bring()).body
    const { status, body } = await account.as('owner', `DELETE /api/v4/domains/${id}`)
    expect({ status, body }).toEqual({
      status: 200,
      body: { status: 'success', message: 'The domain has been deleted.' },
    })
    expect((await account.as('owner', `GET /api/v4/domains/${id}`)).status).toBe(404)
    expect((await account.as('owner', `DELETE /api/v4/domains/${id}`)).status).toBe(404)
    expect(await skusOf(app(), id)).toEqual({})
    expect(await events(id)).toEqual(['domain.created', 'domain.deleted'])
  })

  test('is rejected while addresses exist in it', async () => {
    const remove = () => account.as('owner', `DELETE /api/v4/domains/${account.domainId}`)
    const refused = {
      status: 422,
      body: {
        status: 'error',
        message:
          'You can’t delete this domain while users, aliases, lists, resources or folders have an address in it.',
      },
    }
    expect(await remove()).toMatchObject(refused)
    expect((await read(account.domainId)).isEmpty).toBe(false)
    await account.as('owner', `DELETE /api/v4/users/${account.member.id}`)
    await account.as('owner', `DELETE /api/v4/users/${account.controller.id}`)
    await makeAlias(app(), account.owner, `boss@${account.domain}`)
    expect(await remove()).toMatchObject(refused)
    await account.as('owner', `PUT /api/v4/users/${account.owner.id}`, { aliases: [] })
    expect((await read(account.domainId)).isEmpty).toBe(true)
    expect((await remove()).status).toBe(200)
  })

  test.each(['groups', 'resources', 'shared-folders'] as const)(
    'is refused as long as one of the %s lives in it, but not because of a deleted one',
    async (collection) => {
      const id = await makeObject(account, collection)
      for (const user of [account.member, account.controller])
        await account.as('owner', `DELETE /api/v4/users/${user.id}`)
      const remove = () => account.as('owner', `DELETE /api/v4/domains/${account.domainId}`)
      expect((await remove()).status).toBe(422)
      await account.as('owner', `DELETE /api/v4/${collection}/${id}`)
      expect((await remove()).status).toBe(200)
    },
  )

  test('never leaves an address without a domain when an address is claimed concurrently', async () => {
    for (let turn = 0; turn < 5; turn++) {
      const { id } = (await bring()).body
      const { namespace } = await read(id)
      await app().database.pool.query('update domains set status = 50 where id = $1', [id])
      const [created, aliased, deleted] = await Promise.all([
        account.as('owner', 'POST /api/v4/users', account.newUser({ email: `new@${namespace}` })),
        account.as('controller', `PUT /api/v4/users/${account.member.id}`, {
          aliases: [`alias@${namespace}`],
        }),
        account.as('owner', `DELETE /api/v4/domains/${id}`),
      ])
      const taken = [created, aliased].filter((answer) => answer.status === 200).length
      expect([200, 422]).toContain(created.status)
      expect([200, 422]).toContain(aliased.status)
      expect(deleted.status, `${taken} addresses were taken`).toBe(taken === 0 ? 200 : 422)
      await account.as('owner', `PUT /api/v4/users/${account.member.id}`, { aliases: [] })
    }
  })

  test('happens along with the whole account', async () => {
    const { id } = (await bring()).body
    await account.as('owner', `DELETE /api/v4/users/${account.owner.id}`)
    await app().jobs.drain()
    const { rows } = await app().database.pool.query(
      'select id from domains where wallet_id = $1 and deleted_at is null',
      [account.owner.walletId],
    )
    expect(rows).toEqual([])
    expect(await skusOf(app(), id)).toEqual({})
  })
})

describe('restoring a domain', () => {
  const deleted = async () => {
    const { id } = (await bring()).body
    await account.as('owner', `POST /api/v4/domains/${id}/config`, { spf_whitelist: ['.kept.test'] })
    await app().database.pool.query('update domains set status = 50 where id = $1', [id])
    const before = await read(id)
    app().clock.advance(60)
    await account.as('owner', `DELETE /api/v4/domains/${id}`)
    return before
  }

  test('restores settings, subscription and token, and requires confirmation again', async () => {
    const before = await deleted()
    const [row] = (await account.as('owner', 'GET /api/v4/domains?status=deleted')).body.list
    expect(row).toMatchObject({ id: before.id, isDeleted: true })
    expect(row.restorable_until > row.deleted_at).toBe(true)
    const { status, body } = await account.as('controller', `POST /api/v4/domains/${before.id}/restore`, {})
    expect({ status, said: body.status }).toEqual({ status: 200, said: 'success' })
    expect(await read(before.id)).toMatchObject({
      namespace: before.namespace,
      config: { spf_whitelist: ['.kept.test'] },
      hash_code: before.hash_code,
      status: 1,
      isConfirmed: false,
      isDeleted: false,
      deleted_at: null,
      skus: before.skus,
    })
    expect(await events(before.id)).toContain('domain.restored')
    expect((await account.as('owner', `POST /api/v4/domains/${before.id}/restore`, {})).status).toBe(404)
  })

  test('happens when the account adds the same name again', async () => {
    const before = await deleted()
    const { body } = await bring({ namespace: before.namespace })
    expect(body.id).toBe(before.id)
    expect(await read(before.id)).toMatchObject({ config: { spf_whitelist: ['.kept.test'] }, status: 1 })
    expect(await skusOf(app(), before.id)).toEqual({ 'domain-hosting': 1 })
  })

  test('is billed once when requested twice concurrently', async () => {
    const before = await deleted()
    const restore = () => account.as('owner', `POST /api/v4/domains/${before.id}/restore`, {})
    const answers = await Promise.all([restore(), restore(), bring({ namespace: before.namespace })])
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1)
    expect(await skusOf(app(), before.id)).toEqual({ 'domain-hosting': 1 })
  })

  test('is refused to other accounts and to an account that has to pay', async () => {
    const before = await deleted()
    const route = `POST /api/v4/domains/${before.id}/restore`
    const other = await makeAccount(app())
    expect((await other.as('owner', route, {})).status).toBe(403)
    expect((await account.as('member', route, {})).status).toBe(403)
    await setStatus(app(), account.owner, 35 | userStatus.degraded)
    expect((await account.as('owner', route, {})).status).toBe(403)
  })

  test('is refused and changes nothing if a SKU is no longer on sale', async () => {
    const before = await deleted()
    const sale = (active: boolean) =>
      app().database.pool.query(`update skus set active = $1 where title = 'domain-hosting'`, [active])
    await sale(false)
    const { status, body } = await account.as('owner', `POST /api/v4/domains/${before.id}/restore`, {})
    await sale(true)
    expect({ status, errors: body.errors }).toEqual({
      status: 422,
      errors: { skus: 'This isn’t on sale.' },
    })
    expect((await account.as('owner', `GET /api/v4/domains/${before.id}`)).status).toBe(404)
  })

  test('ends with the retention period, after which anyone who proves ownership can add the name', async () => {
    const before = await deleted()
    const other = await makeAccount(app())
    const purge = async () => {
      await app().jobs.enqueue(app().database.db, purgeJob, {})
      await jobsDue(app())
      await app().jobs.drain()
    }
    app().clock.advance(29 * 86_400)
    await purge()
    const input = { namespace: before.namespace, package: hosting }
    const tokens = { other: (await signInAs(app(), other.owner)).access_token, owner: '' }
    const taken = await app().call('POST /api/v4/domains', { token: tokens.other, body: input })
    expect(taken.body.errors).toEqual({ namespace: 'This domain isn’t available.' })
    app().clock.advance(2 * 86_400)
    tokens.owner = (await signInAs(app(), account.owner)).access_token
    tokens.other = (await signInAs(app(), other.owner)).access_token
    const late = await app().call(`POST /api/v4/domains/${before.id}/restore`, {
      token: tokens.owner,
      body: {},
    })
    expect(late.status).toBe(404)
    await purge()
    const { body } = await app().call('POST /api/v4/domains', { token: tokens.other, body: input })
    const shown = await app().call(`GET /api/v4/domains/${body.id}`, { token: tokens.other })
    expect(shown.body.namespace).toBe(before.namespace)
    expect(shown.body.hash_code).not.toBe(before.hash_code)
  })
})
