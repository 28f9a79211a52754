import { beforeAll, expect, test } from 'vitest'
import { UsageError } from '../../../platform/cli/command.ts'
import { commandLine } from '../../../testing/command-line.ts'
import { makeDiscount, makeDomain, makeUser, signInAs } from '../../../testing/factories.ts'
import { makeOfferingTenant } from '../../../testing/signup/offering-tenant.ts'
import { bareStep, makePlan } from '../../../testing/signup/signup-ways.ts'
import { useTestApp } from '../../../testing/test-app.ts'

const app = useTestApp()

beforeAll(async () => {
  await makeDomain(app(), 'example.test')
  await makePlan(app(), { title: 'club', mode: 'token' })
})

const run = commandLine(app)

let caller = 0
const signUp = (facts: object) =>
  app().call('POST /api/auth/signup', {
    body: bareStep(`cli${++caller}`, { ...facts }),
    ip: `203.0.113.${caller}`,
  })

test('a token is valid for its plan within its usage limit and lifetime', async () => {
  expect(await run('signup-token:create', 'club', 'once', 'Other.1', '--limit=1')).toEqual([
    'ONCE',
    'OTHER.1',
  ])
  const [madeUp = ''] = await run('signup-token:create', 'club', '--expires=2026-03-10')
  expect(madeUp).toMatch(/^[2-9A-HJ-NP-Z]{16}$/)
  const use = async (token: string) => (await signUp({ plan: 'club', token })).status
  expect([await use('once'), await use('once'), await use(madeUp)]).toEqual([200, 422, 200])
  expect(await run('signup-token:list')).toEqual(
    [
      'ONCE  club  1 of 1 accounts  no end',
      'OTHER.1  club  0 of 1 accounts  no end',
      `${madeUp}  club  1 accounts  2026-03-11`,
    ].sort(),
  )
  app().clock.advance(12 * 3600)
  expect(await use(madeUp)).toBe(422)
})

test('tokens, programmes and public domains belong to one tenant', async () => {
  const tenant = await makeOfferingTenant(app(), 'partner')
  const to = `--tenant=${tenant.id}`
  await makePlan(app(), { title: 'guild', mode: 'token', tenantId: tenant.id })
  const made = await run('signup-token:create', 'guild', '--count=3', '--limit=1', to)
  expect(new Set(made).size).toBe(3)
  expect(await run('signup-token:list', to)).toHaveLength(3)
  const [first = ''] = made
  expect(await run('signup-token:revoke', first, to)).toEqual([`${first} was revoked.`])
  await expect(run('signup-token:revoke', first)).rejects.toThrow(UsageError)
  expect((await run('signup-token:list', to)).filter((line) => line.endsWith('revoked'))).toHaveLength(1)
  const [id = ''] = await run('referral-program:create', 'Guests', 'Bring a guest.', '--award=500', to)
  await expect(run('referral-program:deactivate', id)).rejects.toThrow(UsageError)
  await run('referral-program:deactivate', id, to)
  await run('referral-program:activate', id, to)
  expect(await run('referral-program:list', to)).toEqual([
    `${id}  Guests  active  award 500  from 0  0 accounts  0 awarded`,
  ])
  await run('domain:create-public', 'second.test', to)
  const { body } = await tenant.call('GET /public-domains')
  expect(body.list.map(({ name }: { name: string }) => name)).toEqual(['partner.test', 'second.test'])
})

test("a tenant's limit is set by name and applies to its catalogue", async () => {
  const { id } = await makeOfferingTenant(app(), 'limited')
  const set = (name: string, value: string) => run('tenant:limit', String(id), name, value)
  for (const [name, value] of [
    ['planModes', 'email,token'],
    ['freeMonths', '6'],
    ['belowFee', 'yes'],
    ['users', '10'],
  ] as const) {
    await set(name, value)
    expect(await run('tenant:list-settings', String(id))).toContain(
      `limit ${name}=${value === 'yes' ? 'true' : value}`,
    )
  }
  await set('freeMonths', 'none')
  expect(await run('tenant:list-settings', String(id))).toContain('limit freeMonths=3')
  await expect(set('planModes', 'free')).rejects.toThrow(UsageError)
  await expect(set('colour', '1')).rejects.toThrow(UsageError)
  await expect(run('tenant:limit', '0', 'freeMonths', '6')).rejects.toThrow(UsageError)
})

test('an invitation is a link that works', async () => {
  const [link = ''] = await run('invitation:create', 'Guest@Elsewhere.test')
  const [, id] = /^http:\/\/localhost:8000\/signup\/invite\/(.+)$/.exec(link) ?? []
  expect((await app().call(`GET /api/auth/signup/invitations/${id}`)).status).toBe(200)
  expect(await run('invitation:list')).toEqual([`${id}  guest@elsewhere.test  new  ${inDays(30)}`])
  expect((await signUp({ plan: 'individual', invitation: id })).status).toBe(200)
  expect(await run('invitation:list')).toEqual([`${id}  guest@elsewhere.test  completed  ${inDays(30)}`])
  const [other = ''] = await run('invitation:create', 'late@elsewhere.test')
  app().clock.advance(30 * 24 * 3600)
  expect((await run('invitation:list'))[0]).toContain(
    `${other.split('/').at(-1)}  late@elsewhere.test  expired`,
  )
})

test('an invitation is mailed if a language is given', async () => {
  const [link = ''] = await run('invitation:create', 'reader@elsewhere.test', '--mail=de')
  const sent = (await app().mails()).filter((mail) => mail.to[0]?.address === 'reader@elsewhere.test')
  expect(sent.map(({ subject }) => subject)).toEqual(['Einladung zu Gatehouse'])
  expect(sent[0]?.text).toContain(link)
  expect((await run('invitation:list')).find((line) => line.includes('reader@'))).toContain('sent')
  await run('invitation:create', 'silent@elsewhere.test')
  const all = await app().mails()
  expect(all.some((mail) => mail.to[0]?.address === 'silent@elsewhere.test')).toBe(false)
})

test('an existing invitation is reported and not mailed again', async () => {
  await run('invitation:create', 'once@elsewhere.test', '--mail=en')
  await expect(run('invitation:create', 'once@elsewhere.test', '--mail=en')).rejects.toThrow('already')
  const sent = (await app().mails()).filter((mail) => mail.to[0]?.address === 'once@elsewhere.test')
  expect(sent).toHaveLength(1)
})

test('a referral programme is offered until it is deactivated', async () => {
  await makeDiscount(app(), { code: 'FRIEND', discount: 15 })
  const amounts = ['--award=500', '--threshold=2000', '--discount=friend']
  const [id = ''] = await run('referral-program:create', 'Friends', 'Bring a friend.', ...amounts)
  const owner = await makeUser(app())
  const { access_token: token } = await signInAs(app(), owner)
  const read = () => app().call(`GET /api/v4/wallets/${owner.walletId}/referral-programs`, { token })
  const [program] = (await read()).body.list
  expect(program).toMatchObject({ id, name: 'Friends', description: 'Bring a friend.' })
  const referral = program.url.split('/').at(-1)
  await run('signup-token:create', 'club', 'friends')
  const { body } = await signUp({ plan: 'club', token: 'friends', referral })
  expect(body.wallet.discount).toBe(15)
  expect(await run('referral-program:list')).toEqual([
    `${id}  Friends  active  award 500  from 2000  1 accounts  0 awarded`,
  ])
  await run('referral-program:deactivate', id)
  expect((await read()).body.list).toEqual([])
})

test('a discount expires at its set time', async () => {
  await run('discount:create', '20', 'Two', 'TWO', '--limit=2', '--expires=2026-12-31')
  expect((await run('discount:list')).join('\n')).toContain(
    'TWO  active  0 wallets  0 of 2 uses  until 31 December 2026',
  )
})

test.each<readonly [string, ...string[]]>([
  ['signup-token:create', 'individual'],
  ['signup-token:create', 'nothing'],
  ['signup-token:create', 'club', 'a b'],
  ['signup-token:create', 'club', '--limit=0'],
  ['signup-token:create', 'club', '--limit=many'],
  ['signup-token:create', 'club', '--expires=tomorrow'],
  ['signup-token:create', 'club', '--colour=red'],
  ['signup-token:create', 'club', 'fresh', 'fresh'],
  ['invitation:create', 'nobody'],
  ['invitation:create', 'guest@a.test', '--mail=xx'],
  ['invitation:create', 'guest@a.test', '--mail='],
  ['referral-program:create', '', 'no name'],
  ['referral-program:create', 'Friends', 'x', '--award=-5'],
  ['referral-program:create', 'Friends', 'x', '--discount=NOTHING'],
  ['referral-program:deactivate', 'x'],
  ['discount:create', '10', 'x', 'LIMITED', '--limit=none'],
])('%s %s %s %s is rejected with a message', async (name, ...args) => {
  await expect(run(name, ...args)).rejects.toThrow(UsageError)
})

function inDays(days: number): string {
  return new Date(app().clock.now().getTime() + days * 24 * 3600 * 1000).toISOString().slice(0, 10)
}
