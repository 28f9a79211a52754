import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RouteDefinition } from '@gatehouse/contract/route'
import { routes } from '@gatehouse/contract/routes'
import { beforeEach, describe, expect, test } from 'vitest'
import { commandList } from '../../main/commands/command-list.ts'
import { UsageError } from '../../platform/cli/command.ts'
import { newUuid } from '../../platform/ids.ts'
import { makeAccount, type TestAccount } from '../../testing/account-fixture.ts'
import { commandLine } from '../../testing/command-line.ts'
import { makeObject } from '../../testing/directory-fixture.ts'
import { makeTenant, makeUser } from '../../testing/factories.ts'
import { makeStaff } from '../../testing/staff.ts'
import { useTestApp } from '../../testing/test-app.ts'
import { insertOneOff } from '../money/one-off-store.ts'

const app = useTestApp()
let account: TestAccount

beforeEach(async () => {
  account = await makeAccount(app())
})

const run = commandLine(app)

const refused = async (name: string, ...args: string[]) => {
  await expect(run(name, ...args), `${name} ${args.join(' ')}`).rejects.toThrow(UsageError)
}

/** The command equivalent to each API call of staff. */
const twins: Readonly<Record<string, string>> = {
  'GET /api/v4/users @staff': 'user:find',
  'PUT /api/v4/users/{id} @staff': 'user:external-email',
  'POST /api/v4/users/{id}/suspend': 'user:suspend',
  'POST /api/v4/users/{id}/unsuspend': 'user:unsuspend',
  'POST /api/v4/users/{id}/api-keys/{key}/revoke': 'api-key:revoke',
  'POST /api/v4/users/{id}/reset-2fa': 'user:reset-2fa',
  'POST /api/v4/users/{id}/reset-geolock': 'user:reset-geolock',
  'POST /api/v4/users/{id}/resync': 'user:resync',
  'POST /api/v4/users/{id}/restore @staff': 'user:restore',
  'GET /api/v4/users/{id}/discounts': 'discount:list',
  'POST /api/v4/users/{id}/skus/{sku}': 'user:add-sku',
  'POST /api/v4/users/{id}/login-as @staff': 'user:login-as',
  'POST /api/v4/users/{id}/sign-out @staff': 'user:sign-out',
  'POST /api/v4/domains/{id}/suspend': 'domain:suspend',
  'POST /api/v4/domains/{id}/unsuspend': 'domain:unsuspend',
  'POST /api/v4/domains/{id}/restore @staff': 'domain:restore',
  'POST /api/v4/groups/{id}/suspend': 'group:suspend',
  'POST /api/v4/groups/{id}/unsuspend': 'group:unsuspend',
  'POST /api/v4/groups/{id}/restore @staff': 'group:restore',
  'POST /api/v4/resources/{id}/restore @staff': 'resource:restore',
  'POST /api/v4/shared-folders/{id}/restore @staff': 'shared-folder:restore',
  'POST /api/v4/users/{id}/delete': 'user:delete',
  'POST /api/v4/users/{id}/erase': 'user:erase',
  'POST /api/v4/domains/{id}/delete': 'domain:delete',
  'POST /api/v4/domains/{id}/erase': 'domain:erase',
  'POST /api/v4/groups/{id}/delete': 'group:delete',
  'POST /api/v4/groups/{id}/erase': 'group:erase',
  'POST /api/v4/resources/{id}/delete': 'resource:delete',
  'POST /api/v4/resources/{id}/erase': 'resource:erase',
  'POST /api/v4/shared-folders/{id}/delete': 'shared-folder:delete',
  'POST /api/v4/shared-folders/{id}/erase': 'shared-folder:erase',
  'PUT /api/v4/wallets/{id}': 'wallet:set-discount',
  'POST /api/v4/users/{id}/password-link': 'user:password-link',
  'GET /api/v4/wallets/{id}/controllers @staff': 'wallet:controllers',
  'POST /api/v4/wallets/{id}/controllers @staff': 'wallet:add-controller',
  'POST /api/v4/wallets/{id}/controllers/remove': 'wallet:remove-controller',
  'POST /api/v4/wallets/{id}/owner @staff': 'wallet:set-owner',
  'POST /api/v4/wallets/{id}/one-off': 'wallet:add-transaction',
  // the command prints the resulting balance
  'POST /api/v4/wallets/{id}/one-off/preview': 'wallet:add-transaction',
  'GET /api/v4/one-offs': 'one-off:list',
  'POST /api/v4/one-offs/{id}/approve': 'one-off:approve',
  'POST /api/v4/one-offs/{id}/refuse': 'one-off:refuse',
  'GET /api/v4/eventlog/{type}/{id}': 'event:list',
  'GET /api/v4/stats/chart/{chart}': 'stats:chart',
  'GET /api/v4/invitations': 'invitation:list',
  'POST /api/v4/invitations': 'invitation:create',
  'POST /api/v4/invitations/import': 'invitation:import',
  'POST /api/v4/invitations/{id}/resend': 'invitation:resend',
  'DELETE /api/v4/invitations/{id}': 'invitation:delete',
  'POST /api/v4/oauth/clients': 'oauth-client:create',
  'PUT /api/v4/oauth/clients/{id}': 'oauth-client:update',
  'POST /api/v4/oauth/clients/{id}/secret': 'oauth-client:secret',
  'DELETE /api/v4/oauth/clients/{id}': 'oauth-client:delete',
  'GET /api/v4/tenants': 'tenant:list',
  'GET /api/v4/tenants/{id}': 'tenant:list-settings',
  'PUT /api/v4/tenants/{id}': 'tenant:set',
  'PUT /api/v4/tenants/{id}/limits': 'tenant:limit',
  'POST /api/v4/tenants/{id}/names/{name}/check': 'tenant:check',
  'POST /api/v4/tenants/{id}/names/{name}/confirm': 'tenant:confirm',
  'POST /api/v4/tenants/{id}/discounts': 'discount:create',
  'PUT /api/v4/tenants/{id}/discounts/{discount}': 'discount:deactivate',
  'GET /api/v4/tenants/{id}/settlements/{period}': 'tenant:settlement',
  'PUT /api/v4/tenants/{id}/skus/{sku}': 'sku:set',
  'POST /api/v4/tenants/{id}/packages': 'package:create',
  'PUT /api/v4/tenants/{id}/packages/{package}': 'package:set',
  'DELETE /api/v4/tenants/{id}/packages/{package}': 'package:delete',
  'POST /api/v4/tenants/{id}/plans': 'plan:create',
  'PUT /api/v4/tenants/{id}/plans': 'plan:order',
  'PUT /api/v4/tenants/{id}/plans/{plan}': 'plan:set',
  'DELETE /api/v4/tenants/{id}/plans/{plan}': 'plan:delete',
  'GET /api/v4/tenants/{id}/catalogue': 'catalogue:list',
  'GET /api/v4/tenants/{id}/public-domains': 'public-domain:list',
  'POST /api/v4/tenants/{id}/public-domains': 'domain:create-public',
  'POST /api/v4/tenants/{id}/public-domains/{domain}/check': 'public-domain:check',
  'POST /api/v4/tenants/{id}/public-domains/{domain}/confirm': 'public-domain:confirm',
  'PUT /api/v4/tenants/{id}/public-domains/{domain}': 'public-domain:close',
  'DELETE /api/v4/tenants/{id}/public-domains/{domain}': 'public-domain:delete',
  'POST /api/v4/tenants/{id}/signup-tokens': 'signup-token:create',
  'DELETE /api/v4/tenants/{id}/signup-tokens/{token}': 'signup-token:revoke',
  'POST /api/v4/tenants/{id}/referral-programs': 'referral-program:create',
  'PUT /api/v4/tenants/{id}/referral-programs/{program}': 'referral-program:deactivate',
  'POST /api/v4/price-changes/preview': 'price-change:preview',
  'POST /api/v4/price-changes': 'price-change:schedule',
  'POST /api/v4/price-changes/{id}/cancel': 'price-change:cancel',
  'POST /api/v4/users/{id}/mail-settings': 'user:mail-settings',
  'POST /api/v4/subscriptions/{type}/{id}/preview': 'subscription:preview',
  'PUT /api/v4/subscriptions/{type}/{id}': 'subscription:set',
  'POST /api/v4/accounts/{id}/{kind}/preview': 'user:preview',
  'POST /api/v4/accounts/{id}/users': 'user:create',
  'POST /api/v4/accounts/{id}/domains': 'domain:create',
  'POST /api/v4/accounts/{id}/groups': 'group:create',
  'POST /api/v4/accounts/{id}/resources': 'resource:create',
  'POST /api/v4/accounts/{id}/shared-folders': 'shared-folder:create',
  'POST /api/v4/service-users': 'user:create-service',
  'GET /api/v4/vat-reports/{period}': 'vat:report',
  'GET /api/v4/jobs': 'job:list',
  'POST /api/v4/jobs/{id}/retry': 'job:retry',
  'DELETE /api/v4/jobs/{id}': 'job:drop',
  'GET /api/v4/mails': 'mail:list',
  'GET /api/v4/health': 'health:show',
}

test('every change staff can make through the API is available on the command line', () => {
  const changes = (Object.entries(routes) as [string, RouteDefinition][]) // the keys of an object literal
    .filter(([key, { hosts }]) => hosts?.includes('user') === false && !key.startsWith('GET '))
    .map(([key]) => key)
  expect(changes.filter((key) => twins[key] === undefined)).toEqual([])
  const names = new Set(commandList.map(({ name }) => name))
  expect(Object.values(twins).filter((name) => !names.has(name))).toEqual([])
  expect(Object.keys(twins).filter((key) => !Object.hasOwn(routes, key))).toEqual([])
})

describe('a customer', () => {
  test('can be impersonated once, with a reason that is recorded', async () => {
    const staff = await makeStaff(app(), 'admin')
    const { email, id } = account.member
    const [link = ''] = await run('user:login-as', staff.email, email, 'cannot', 'print')
    expect(link).toMatch(/\/login-as#[\w-]{20,}$/)
    const body = { code: link.split('#')[1] }
    const { status } = await app().call('POST /api/auth/login-as', { body })
    expect(status).toBe(200)
    const [event] = await run('event:list', 'user', email)
    expect(event).toContain(`user.impersonated  ${staff.email}  cannot print`)
    expect(await run('event:list', 'user', String(id))).toContain(event)
    await refused('user:login-as', email, staff.email, 'because')
    await refused('user:login-as', staff.email, staff.email, 'because')
    await refused('user:login-as', staff.email, email, 'x')
  })

  test('is mailed a password link at an external address set by the operator, without showing the link', async () => {
    const { email } = account.member
    await refused('user:password-link', email, 'lost', 'it')
    await run('user:external-email', email, 'away@elsewhere.test')
    const lines = await run('user:password-link', email, 'lost', 'it')
    expect(lines).toEqual([`A password link was sent to the external address of ${email}.`])
    const [mail] = (await app().mails()).filter(({ to }) => to[0]?.address === 'away@elsewhere.test')
    expect(mail?.text).toMatch(/\/password-reset\/[A-Z0-9]+-[\w-]{20,}/)
    expect(await run('event:list', 'user', email)).toContainEqual(
      expect.stringContaining('password.link-sent  -  lost it'),
    )
    await run('user:external-email', email, 'none')
  })

  test('gets an external address and a feature, and the address is removed again', async () => {
    const { email } = account.member
    await run('user:external-email', email, 'Away@elsewhere.test')
    const read = async () => {
      const { db } = app().database
      const rows = await db
        .selectFrom('userSettings')
        .select('value')
        .where('key', '=', 'external_email')
        .where('userId', '=', account.member.id)
        .execute()
      return rows.map(({ value }) => value)
    }
    expect(await read()).toEqual(['away@elsewhere.test'])
    await run('user:external-email', email, 'none')
    expect(await read()).toEqual([])
    await refused('user:external-email', email, 'nonsense')
    await refused('user:external-email', 'nobody@example.test', 'none')
    const sku = { id: newUuid(), tenantId: 0, title: 'beta', cost: 0, fee: 0, unitsFree: 0 }
    const texts = { name: '{"en":"Beta"}', description: '{"en":"What is new"}' }
    await app()
      .database.db.insertInto('skus')
      .values({ ...sku, ...texts, period: 'monthly', handler: 'Beta', active: false })
      .execute()
    expect(await run('user:add-sku', email, 'beta')).toEqual([`${email}: beta`])
    await refused('user:add-sku', email, 'beta')
    await refused('user:add-sku', email, 'mailbox')
  })
})

describe('a deleted object', () => {
  test.each([
    ['groups', 'group'],
    ['resources', 'resource'],
    ['shared-folders', 'shared-folder'],
  ] as const)('is restored: %s', async (collection, noun) => {
    const id = await makeObject(account, collection)
    const { email } = (await account.as('owner', `GET /api/v4/${collection}/${id}`)).body
    await refused(`${noun}:restore`, email)
    await account.as('owner', `DELETE /api/v4/${collection}/${id}`)
    expect(await run(`${noun}:restore`, noun === 'group' ? email : String(id))).toEqual([
      `${email} was restored.`,
    ])
    expect((await account.as('owner', `GET /api/v4/${collection}/${id}`)).status).toBe(200)
    await refused(`${noun}:restore`, 'nothing')
  })

  test('is restored: a domain', async () => {
    const { body } = await account.as('owner', 'GET /api/v4/domains')
    const packages = await account.as('owner', 'GET /api/v4/packages')
    const hosting = packages.body.find(({ title }: { title: string }) => title === 'domain-hosting')
    const made = await account.as('owner', 'POST /api/v4/domains', {
      namespace: 'second-one.test',
      package: hosting.id,
    })
    expect(made.status, JSON.stringify(body)).toBe(200)
    await account.as('owner', `DELETE /api/v4/domains/${made.body.id}`)
    expect(await run('domain:restore', 'second-one.test')).toEqual(['second-one.test was restored.'])
    await refused('domain:restore', 'second-one.test')
  })
})

test('charts and health are printed', async () => {
  const lines = await run('stats:chart', 'users')
  expect(lines[0]).toMatch(/^\S/)
  expect(lines.at(-1)).toMatch(/^2026-11 {2}\d+ {2}\d+$/)
  expect((await run('stats:chart', 'users', '9')).at(-1)).toBe('2026-11  0  0')
  await refused('stats:chart', 'nothing')
  expect(await run('health:show')).toContainEqual(expect.stringMatching(/^queue {2}ok/))
})

test('an operator decides on a large booking', async () => {
  const staff = await makeStaff(app(), 'admin')
  const by = { userId: staff.id, role: 'admin', tenantId: 0, email: staff.email } as const
  const customer = await makeUser(app())
  const ask = (amount: number) =>
    insertOneOff(app().database.db, app().clock, {
      ...{ tenantId: 0, walletId: customer.walletId, amount, currency: 'CHF', description: 'Sorry', by },
    })
  const id = await ask(500_000)
  expect(await run('one-off:list')).toContainEqual(
    expect.stringContaining(`${id}  ${customer.email}  500000 CHF`),
  )
  expect(await run('one-off:approve', id)).toEqual(['Balance: 500000'])
  await refused('one-off:approve', id)
  const other = await ask(-100)
  await run('one-off:refuse', other, 'no', 'reason')
  await refused('one-off:approve', other)
  expect(await run('one-off:list', 'refused')).toHaveLength(1)
  await refused('one-off:approve', 'nothing')
})

test('invitations are imported from a file, resent and deleted', async () => {
  await makeTenant(app(), 9)
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-cli-'))
  try {
    const file = join(folder, 'people.csv')
    await writeFile(file, 'one@invited.test\nbroken@\n')
    expect(await run('invitation:import', file, '--tenant=9')).toEqual([
      '1  one@invited.test  created',
      '2  broken@  invalid',
    ])
    const [line = ''] = await run('invitation:list', '--tenant=9')
    const [id = ''] = line.split('  ')
    expect(line).toContain('one@invited.test  new')
    expect((await app().mails()).some(({ text }) => text?.includes(id))).toBe(true)
    await run('invitation:resend', id)
    expect((await app().mails()).filter(({ text }) => text?.includes(id))).toHaveLength(2)
    await run('invitation:delete', id)
    expect(await run('invitation:list', '--tenant=9')).toEqual([])
    await refused('invitation:resend', id)
    await refused('invitation:import', join(folder, 'nothing.csv'))
    await refused('invitation:import', file, '--tenant=77')
  } finally {
    await rm(folder, { recursive: true })
  }
})
