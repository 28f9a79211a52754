import { userStatus } from '@gatehouse/contract/status'
import { beforeEach, describe, expect, test } from 'vitest'
import { makeAccount, packageOf, skusOf, type TestAccount } from '../../testing/account-fixture.ts'
import { makeUser, setStatus, signInAs, strongPassword } from '../../testing/factories.ts'
import { useTestApp } from '../../testing/test-app.ts'

const app = useTestApp()
let account: TestAccount
let packageId = ''

beforeEach(async () => {
  account = await makeAccount(app())
  packageId = await packageOf(app(), 'kolab')
})

type Who = 'owner' | 'controller' | 'member'

const person = (name: string, more: Record<string, unknown> = {}) => ({
  first_name: name,
  email: `${name.toLowerCase()}@${account.domain}`,
  package: packageId,
  ...more,
})
const send = (body: Record<string, unknown>, who: Who = 'owner') =>
  account.as(who, 'POST /api/v4/users/batch', body)
const tried = async (people: unknown[]) => (await send({ people, dryRun: true })).body.preview
const users = async () =>
  (await account.as('owner', `GET /api/v4/users?search=@${account.domain}&size=100`)).body.list.map(
    (user: { email: string }) => user.email.split('@')[0],
  )

describe('previewing a sheet', () => {
  test('shows the price of each row and the total, same as for a single user', async () => {
    const single = (await account.as('owner', 'POST /api/v4/users/preview', { package: packageId })).body
    const preview = await tried([person('Ann'), person('Bob')])
    expect(preview.rows).toEqual([
      { monthly: single.monthly.next, messages: [] },
      { monthly: single.monthly.next, messages: [] },
    ])
    expect(preview).toMatchObject({ monthly: 2 * single.monthly.next, problem: null })
    expect(preview.price.monthly.next - preview.price.monthly.now).toBe(2 * single.monthly.next)
    expect(await users()).not.toContain('ann')
  })

  test('includes additional storage', async () => {
    const preview = await tried([person('Ann'), person('Bob', { quota: '20' })])
    expect(preview.rows[1].monthly).toBeGreaterThan(preview.rows[0].monthly)
  })

  test("reports a row's errors at their fields", async () => {
    const { rows, monthly, price } = await tried([
      person('Ann', { email: 'ann' }),
      person('Bob', { email: account.member.email }),
      person('Cid', { package: 'no such thing' }),
      person('Dan', { quota: '100000' }),
      person('Eve', { external_email: 'nowhere' }),
      { first_name: 'Fay' },
      person('Gus'),
      person('Gus2', { email: `GUS@${account.domain}` }),
      person('Hal', { email: 'hal@elsewhere.test' }),
    ])
    const fields = rows.map((row: { messages: { field: string }[] }) => row.messages.map((one) => one.field))
    expect(fields).toEqual([
      ...[['email'], ['email'], ['package'], ['quota'], ['external_email']],
      ...[['package', 'email'], [], ['email'], ['email']],
    ])
    expect(rows[7].messages[0].text).toBe(`“gus@${account.domain}” is already in row 7.`)
    expect(rows[0].monthly).toBeNull()
    expect(monthly).toBe(rows[6].monthly)
    expect(price.monthly.next - price.monthly.now).toBe(monthly)
  })

  test("reports that the wallet's ceiling is too low", async () => {
    await account.as('owner', `PUT /api/v4/wallets/${account.owner.walletId}/settings`, {
      monthly_ceiling: 1,
    })
    const { problem } = await tried([person('Ann')])
    expect(problem).toMatch(/ceiling/i)
    const { status, body } = await send({ people: [person('Ann')] })
    expect(status).toBe(422)
    expect(body.errors.people).toBe(problem)
  })
})

describe('creating users from a sheet', () => {
  test('creates each as its row says, mails the links, and returns the others once more to the creator', async () => {
    const people = [
      person('Ann', { external_email: 'ann@elsewhere.test', quota: '20', last_name: ' ' }),
      person('Bob', { package: 'Groupware account' }),
    ]
    const { status, body } = await send({ people })
    expect(status).toBe(200)
    expect(body.batch).toMatchObject({ kind: 'import', objects: 'users', state: 'running', total: 2 })
    await app().jobs.drain()
    const { id } = body.batch
    expect((await account.as('owner', `GET /api/v4/batches/${id}`)).body).toMatchObject({
      state: 'done',
      counts: { done: 2 },
    })
    const { list } = (await account.as('owner', `GET /api/v4/batches/${id}/links`)).body
    expect(list).toEqual([
      { userId: expect.any(Number), email: people[0]?.email, code: null, mailedTo: 'ann@elsewhere.test' },
      { userId: expect.any(Number), email: people[1]?.email, code: expect.any(String), mailedTo: null },
    ])
    expect((await skusOf(app(), list[0].userId)).storage).toBe(20)
    const mails = (await app().mails()).filter((mail) =>
      mail.to.some(({ address }) => address.endsWith('@elsewhere.test')),
    )
    expect(mails.flatMap((mail) => mail.to.map(({ address }) => address))).toEqual(['ann@elsewhere.test'])

    const [shortCode, code] = list[1].code.split('-')
    const reset = await app().call('POST /api/auth/password-reset', {
      body: { code, short_code: shortCode, password: strongPassword, password_confirmation: strongPassword },
    })
    expect(reset.status).toBe(200)
    await signInAs(app(), { email: people[1]?.email ?? '', password: strongPassword })
    const again = (await account.as('owner', `GET /api/v4/batches/${id}/links`)).body.list
    expect(again[1].code).toBeNull()
  })

  test('creates no users while a row is invalid', async () => {
    const { status, body } = await send({ people: [person('Ann'), person('Bob', { email: 'bob' })] })
    expect(status).toBe(422)
    expect(Object.keys(body.errors.people)).toEqual(['1'])
    await app().jobs.drain()
    expect(await users()).not.toContain('ann')
  })

  test('creates the others if a row fails', async () => {
    const { body } = await send({ people: [person('Ann'), person('Bob')] })
    await makeUser(app(), { email: `ann@${account.domain}`, walletId: account.owner.walletId })
    await app().jobs.drain()
    const { list } = (await account.as('owner', `GET /api/v4/batches/${body.batch.id}/rows`)).body
    expect(list).toMatchObject([
      { n: 1, state: 'failed', messages: [{ field: 'email' }] },
      { n: 2, state: 'done' },
    ])
    expect(await users()).toContain('bob')
  })

  test('is idempotent per key', async () => {
    const headers = { 'Idempotency-Key': crypto.randomUUID() }
    const token = (await signInAs(app(), account.owner)).access_token
    const call = () =>
      app().call('POST /api/v4/users/batch', { token, headers, body: { people: [person('Ann')] } })
    const [one, other] = [await call(), await call()]
    expect(other.body).toEqual(one.body)
    expect((await account.as('owner', 'GET /api/v4/batches')).body.total).toBe(1)
  })

  test('is limited to 200 rows', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, at) => person(`Many${at}`))
    expect((await send({ people: many(201) })).status).toBe(422)
    expect((await send({ people: [] })).status).toBe(422)
    const { body } = await send({ people: many(200) })
    await app().jobs.drain()
    expect((await account.as('owner', `GET /api/v4/batches/${body.batch.id}`)).body.counts.done).toBe(200)
  }, 120_000)

  test('requires control of an account that is paid', async () => {
    const people = [person('Ann')]
    expect((await send({ people }, 'member')).status).toBe(403)
    expect((await send({ people, dryRun: true }, 'member')).status).toBe(403)
    await setStatus(
      app(),
      account.owner,
      userStatus.new | userStatus.active | userStatus.imapReady | userStatus.degraded,
    )
    expect((await send({ people, dryRun: true })).status).toBe(403)
  })

  test('requires recent authentication, because links grant access', async () => {
    app().clock.advance(700)
    const { status, body } = await send({ people: [person('Ann')] })
    expect({ status, stepUp: body.stepUp }).toEqual({ status: 403, stepUp: true })
    expect((await send({ people: [person('Ann')], dryRun: true })).status).toBe(200)
  })
})

test("links are visible to the batch's creator only, and other batches have none", async () => {
  const { body } = await send({ people: [person('Ann')] })
  await app().jobs.drain()
  const path = `GET /api/v4/batches/${body.batch.id}/links`
  expect((await account.as('controller', path)).status).toBe(403)
  expect((await account.as('member', path)).status).toBe(403)
  const stranger = (await signInAs(app(), await makeUser(app()))).access_token
  expect((await app().call(path, { token: stranger })).status).toBe(403)
  const act = { objects: 'users', action: 'suspend', ids: [account.member.id] }
  const { batch } = (await account.as('owner', 'POST /api/v4/bulk', act)).body
  expect((await account.as('owner', `GET /api/v4/batches/${batch.id}/links`)).status).toBe(404)
})
