import { beforeAll, expect, test } from 'vitest'
import { UsageError } from '../../platform/cli/command.ts'
import { commandLine } from '../../testing/command-line.ts'
import { type MadeUser, makeDomain, makeTotp, makeUser, signInAs } from '../../testing/factories.ts'
import { useTestApp } from '../../testing/test-app.ts'

const app = useTestApp()
let user: MadeUser

beforeAll(async () => {
  await makeDomain(app(), 'example.test')
  user = await makeUser(app(), { email: 'jane@example.test', settings: { limit_geo: '["CH"]' } })
})

// a port that nothing listens on
const run = commandLine(app, { DNS_SERVERS: '127.0.0.1:1', DNS_TIMEOUT: '150' })

test('an operator finds an account, suspends it with a reason, and removes what locks a user out', async () => {
  expect(await run('user:find', 'jane@')).toEqual([`${user.id}  jane@example.test  email`])
  await run('user:suspend', 'jane@example.test', 'abuse')
  const settings = async () => {
    const { db } = app().database
    const rows = await db
      .selectFrom('userSettings')
      .select(['key', 'value'])
      .where('userId', '=', user.id)
      .execute()
    return Object.fromEntries(rows.map(({ key, value }) => [key, value]))
  }
  expect(await settings()).toMatchObject({ suspension_reason: 'abuse', limit_geo: '["CH"]' })
  await run('user:unsuspend', 'jane@example.test')
  await run('user:reset-geolock', 'jane@example.test')
  expect(Object.keys(await settings())).not.toContain('suspension_reason')
  expect(Object.keys(await settings())).not.toContain('limit_geo')
  await makeTotp(app(), user)
  await run('user:reset-2fa', 'jane@example.test')
  const { access_token: token } = await signInAs(app(), user)
  await run('user:sign-out', 'jane@example.test')
  expect((await app().call('GET /api/auth/info', { token })).status).toBe(401)
  await expect(run('user:reset-2fa', 'jane@example.test')).rejects.toThrow(UsageError)
  await expect(run('user:suspend', 'nobody@example.test')).rejects.toThrow(UsageError)
  await expect(run('user:suspend', 'jane@example.test', 'mood')).rejects.toThrow(UsageError)
})

test('a tenant is created with the whole catalogue, a domain, a reseller and its own wallet', async () => {
  const { db } = app().database
  await db
    .updateTable('plans')
    .set({ mode: 'mandate', months: 12, freeMonths: 2, hidden: true })
    .where('title', '=', 'group')
    .execute()
  const args = ['boss@partner.example', 'partner.example', '--title=Partner']
  const [line = ''] = await run('tenant:create', ...args)
  const [, password = ''] =
    /^Tenant 1: boss@partner\.example can sign in with the password (\S{16})$/.exec(line) ?? []
  const counts = (tenantId: number) =>
    Promise.all(
      (['skus', 'packages', 'plans'] as const).map(async (table) => {
        const query = db.selectFrom(table).select('title').where('tenantId', '=', tenantId)
        return (await query.orderBy('title').execute()).map(({ title }) => title)
      }),
    )
  const [, packages, plans] = await counts(0)
  expect((await counts(1)).slice(1)).toEqual([packages, plans])
  const plan = await db
    .selectFrom('plans')
    .selectAll()
    .where('tenantId', '=', 1)
    .where('title', '=', 'group')
    .executeTakeFirst()
  expect(plan).toMatchObject({ mode: 'mandate', months: 12, freeMonths: 2, hidden: true })
  const session = await signInAs(app(), { email: 'boss@partner.example', password })
  const mine = await app().call('GET /api/v4/tenants', {
    token: session.access_token,
    host: 'reseller.localhost:8000',
  })
  expect(mine.body.list).toMatchObject([
    {
      id: 1,
      title: 'Partner',
      settings: { 'app.name': 'Partner', 'mail.sender.address': 'noreply@partner.example' },
      wallet: { balance: 0 },
    },
  ])
  await expect(run('tenant:create', ...args)).rejects.toThrow('already exists')
  await expect(run('tenant:create', ...args, '--password=Simple-123')).rejects.toThrow('accept a password')
  expect(await run('tenant:list')).toHaveLength(2)
})

test("a tenant gets a host on the command line, following the portal's rules", async () => {
  await run('tenant:set', '1', 'app.public_url', 'https://mail.partner.example/')
  const [line = '', record = ''] = await run('tenant:names', '1')
  expect(line).toBe('mail.partner.example  portal  unchecked')
  expect(record).toMatch(/^ {2}_gatehouse\.mail\.partner\.example\. IN TXT "gatehouse-verify=[0-9a-f]{32}"$/)
  expect(await run('tenant:names', '1')).toContain('partner.example  mail  confirmed')
  expect(await run('tenant:check', '1', 'mail.partner.example')).toEqual([
    'mail.partner.example  failed (unreachable)',
  ])
  expect(await run('tenant:confirm', '1', 'mail.partner.example', 'contract', '4711')).toEqual([
    'mail.partner.example was confirmed for Partner.',
  ])
  // operators may place a tenant below the installation's host, but not on it
  await run('tenant:set', '1', 'app.public_url', 'http://partner.localhost:8000')
  await run('tenant:confirm', '1', 'partner.localhost', 'ours')
  expect((await run('tenant:names', '1'))[0]).toBe('partner.localhost  portal  confirmed')
  for (const url of ['http://localhost:8000', 'http://admin.localhost', 'http://x:y@partner.example', 'x'])
    await expect(run('tenant:set', '1', 'app.public_url', url), url).rejects.toThrow(UsageError)
  await expect(run('tenant:confirm', '1', 'elsewhere.example', 'ours')).rejects.toThrow(UsageError)
  const args = ['late@partner.example', 'late.example', '--url=http://partner.localhost']
  await expect(run('tenant:create', ...args)).rejects.toThrow('Another tenant uses this host.')
})

test('settings and limits of a tenant are set and removed', async () => {
  await run('tenant:set', '1', 'app.support_url', 'https://help.partner.example')
  await run('tenant:limit', '1', 'users', '5')
  expect(await run('tenant:list-settings', '1')).toEqual(
    expect.arrayContaining(['app.support_url=https://help.partner.example', 'limit users=5']),
  )
  await run('tenant:limit', '1', 'users', 'none')
  expect(await run('tenant:list-settings', '1')).toContain('limit users=')
  expect(await run('tenant:settlement', '1', '2026-03')).toEqual(['total  0  0  0  CHF'])
  for (const wrong of [
    ['tenant:set', '1', 'nothing', 'x'],
    ['tenant:limit', '1', 'users', '-1'],
    ['tenant:list-settings', '77'],
  ]) {
    await expect(run(...(wrong as [string, ...string[]])), wrong.join(' ')).rejects.toThrow(UsageError)
  }
})

test('jobs and e-mails are listed, and days are counted', async () => {
  expect((await run('job:list')).at(-1)).toMatch(/^waiting: \d+, running: 0, retrying: 0, dead: 0$/)
  expect(await run('mail:list', 'nobody')).toEqual([])
  expect(await run('stats:collect')).toEqual(['Past days have been counted.'])
  await expect(run('job:retry', '1234567')).rejects.toThrow(UsageError)
})
