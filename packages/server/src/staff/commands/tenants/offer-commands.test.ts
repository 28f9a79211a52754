import { beforeAll, describe, expect, test } from 'vitest'
import { UsageError } from '../../../platform/cli/command.ts'
import { makeAccount, type TestAccount } from '../../../testing/account-fixture.ts'
import { commandLine } from '../../../testing/command-line.ts'
import { makeObject } from '../../../testing/directory-fixture.ts'
import { makeOfferingTenant, type OfferingTenant } from '../../../testing/signup/offering-tenant.ts'
import { useTestApp } from '../../../testing/test-app.ts'

const app = useTestApp()
let tenant: OfferingTenant
let account: TestAccount

beforeAll(async () => {
  account = await makeAccount(app())
  tenant = await makeOfferingTenant(app(), 'partner')
})

// no DNS server answers there
const onService = commandLine(app, { DNS_SERVERS: '127.0.0.1:9', DNS_TIMEOUT: '50' })
const run = (name: string, ...args: string[]) => onService(name, ...args, `--tenant=${tenant.id}`)

const refused = async (name: string, ...args: string[]) => {
  await expect(run(name, ...args), `${name} ${args.join(' ')}`).rejects.toThrow(UsageError)
}

const catalogue = async () => (await tenant.call('GET /catalogue')).body
const titled = async (list: 'skus' | 'packages' | 'plans', title: string) =>
  (await catalogue())[list].find((one: { title: string }) => one.title === title)
const linesOf = async (start: string) =>
  (await run('catalogue:list')).filter((line) => line.startsWith(start))

describe("a tenant's catalogue", () => {
  test('has SKUs whose price and texts an operator can change', async () => {
    expect(await run('sku:set', 'mailbox', 'cost=700', 'name.de=Postfach')).toEqual(['mailbox: 700'])
    const mailbox = await titled('skus', 'mailbox')
    expect(mailbox).toMatchObject({ cost: 700, active: true, names: { de: 'Postfach' } })
    expect(mailbox.names.en).toBeTruthy()
    expect(await linesOf('sku  mailbox  700 monthly')).toHaveLength(1)
    expect(await onService('catalogue:list')).toContainEqual(expect.stringMatching(/^sku {2}mailbox {2}500 /))
    await refused('sku:set', 'nothing', 'cost=1')
    for (const fact of ['cost=x', 'cost=999999999', 'active=yes', 'colour=1', 'name.en=', 'cost']) {
      await refused('sku:set', 'mailbox', fact)
    }
  })

  test('has packages that an operator can create, change and delete', async () => {
    await run('package:create', 'small', 'name.en=Small', 'sku.mailbox=1', 'sku.storage=5')
    expect(await linesOf('package  small')).toEqual(['package  small  0 %  mailbox=1 storage=5'])
    await run('package:set', 'small', 'discount=10', 'sku.storage=6')
    expect(await linesOf('package  small')).toEqual(['package  small  10 %  mailbox=1 storage=6'])
    await refused('package:create', 'small', 'name.en=Again', 'sku.mailbox=1')
    await refused('package:create', 'Not Small', 'name.en=Again', 'sku.mailbox=1')
    await refused('package:create', 'other', 'sku.mailbox=1')
    await refused('package:set', 'small', 'sku.nothing=1')
    expect(await run('package:delete', 'small')).toEqual(['small was deleted.'])
    expect(await linesOf('package  small')).toEqual([])
    await refused('package:delete', 'small')
  })

  test('has plans that an operator can create, change, reorder and delete', async () => {
    await run('plan:create', 'club', 'mode=email', 'packages=lite', 'name.en=Club')
    expect(await linesOf('plan  club')).toEqual(['plan  club  email  1 months, 0 free  lite'])
    await run('plan:set', 'club', 'free-months=1', 'hidden=1', 'description.fr=Pour le club')
    expect(await titled('plans', 'club')).toMatchObject({
      ...{ freeMonths: 1, hidden: true, mode: 'email', names: { en: 'Club' } },
      descriptions: { fr: 'Pour le club' },
    })
    const titles = async () => (await catalogue()).plans.map(({ title }: { title: string }) => title)
    const order = (await titles()).reverse()
    expect(await run('plan:order', ...order)).toEqual([order.join('  ')])
    expect(await titles()).toEqual(order)
    await refused('plan:order', 'club')
    await refused('plan:set', 'club', 'mode=free')
    await refused('plan:set', 'club', 'packages=nothing')
    await refused('package:delete', 'lite')
    expect(await run('plan:delete', 'club')).toEqual(['club was deleted.'])
    await refused('plan:delete', 'club')
  })

  test('has public domains that an operator can check, confirm, close, open and withdraw', async () => {
    const ask = (domain: string) => tenant.call('POST /public-domains', { domain })
    expect((await ask('first.test')).status).toBe(200)
    expect(await run('public-domain:check', 'first.test')).toEqual(['first.test  unreachable'])
    expect(await run('public-domain:list')).toContain('first.test  waiting (unreachable)')
    await refused('public-domain:close', 'first.test')
    await run('public-domain:confirm', 'first.test', 'by', 'contract')
    expect(await run('public-domain:list')).toContain('first.test  open')
    const { body: log } = await tenant.reseller.call(`GET /api/v4/eventlog/tenant/${tenant.id}`)
    expect(log.list[0]).toMatchObject({ kind: 'tenant.public-domain-confirmed', comment: 'by contract' })
    await run('public-domain:close', 'first.test')
    expect(await run('public-domain:list')).toContain('first.test  closed')
    await run('public-domain:open', 'first.test')
    expect(await run('public-domain:list')).toContain('first.test  open')
    await refused('public-domain:confirm', 'first.test')
    await refused('public-domain:delete', 'first.test')
    expect((await ask('second.test')).status).toBe(200)
    await run('public-domain:delete', 'second.test')
    await refused('public-domain:check', 'second.test')
    await refused('public-domain:check', 'nonsense')
  })
})

describe('subscriptions', () => {
  const record = async (email: string) => (await onService('event:list', 'user', email)).join('\n')

  test('of a user are quoted, and changed with a reason', async () => {
    const { email } = account.member
    const quote = () => onService('subscription:preview', 'user', email, 'storage=7')
    const [line, sum] = [await quote(), await quote()].map((lines) => lines.at(-1))
    expect(line).toMatch(/^a month {2}\d+ -> \d+ CHF {2}due now \d+$/)
    expect(sum).toBe(line)
    await expect(onService('subscription:set', 'user', email, 'storage=7', 'x')).rejects.toThrow(UsageError)
    await onService('subscription:set', 'user', email, 'more', 'room', 'storage=7')
    expect(await record(email)).toContain('user.sku-added  -  more room')
    const [, now, next] = /(\d+) -> (\d+)/.exec((await quote()).at(-1) ?? '') ?? []
    expect(now).toBe(next)
  })

  test.each([
    [['nobody', 'x', 'storage=1']],
    [['user', 'nobody@example.test', 'storage=1']],
    [['domain', 'nothing.test', 'storage=1']],
  ])('are not found at %s', async (args) => {
    await expect(onService('subscription:preview', ...args)).rejects.toThrow(UsageError)
  })

  test('of a distribution list are unchanged if nothing else is requested', async () => {
    const id = await makeObject(account, 'groups')
    const { email } = (await account.as('owner', `GET /api/v4/groups/${id}`)).body
    const quoted = await onService('subscription:preview', 'group', email, 'group=1')
    const [, now, next] = /(\d+) -> (\d+)/.exec(quoted.at(-1) ?? '') ?? []
    expect(next).toBe(now)
    await onService('subscription:set', 'group', email, 'as', 'agreed', 'group=1')
    await expect(onService('subscription:set', 'group', email, 'as agreed', 'mailbox=1')).rejects.toThrow(
      UsageError,
    )
  })

  test('of a new user are quoted by package', async () => {
    const owner = `--owner=${account.owner.email}`
    const lines = await onService('user:preview', owner, '--package=kolab')
    expect(lines.at(-1)).toMatch(/^a month {2}0 -> [1-9]\d* CHF {2}due now 0$/)
    await expect(onService('user:preview', owner, '--package=nothing')).rejects.toThrow(UsageError)
  })
})
