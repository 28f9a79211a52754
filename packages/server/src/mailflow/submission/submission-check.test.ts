import { domainStatus, userStatus } from '@gatehouse/contract/status'
import { beforeEach, describe, expect, test } from 'vitest'
import { makeAccount, type TestAccount } from '../../testing/account-fixture.ts'
import { makeObject } from '../../testing/directory-fixture.ts'
import { deleteUser, makeAlias, makeDelegation, makeUser, setStatus } from '../../testing/factories.ts'
import { withMailServices } from '../../testing/servers/mail-services.ts'
import { askPolicy, askWith } from '../../testing/servers/policy-calls.ts'
import { makePlan } from '../../testing/signup/signup-ways.ts'
import { useTestApp } from '../../testing/test-app.ts'

// the limits are high, because these tests are about senders
const app = useTestApp({
  ...withMailServices,
  RATELIMIT_USER_UNPAID: '9999,9999,9999,9999',
  RATELIMIT_ACCOUNT_UNPAID: '9999,9999,9999,9999',
})
let account: TestAccount

beforeEach(async () => {
  account = await makeAccount(app())
})

const ready = userStatus.active | userStatus.imapReady
const ask = (user: string, sender: string) =>
  askPolicy(app(), 'submission', { user, sender, recipients: ['ned@else.test'] })

/** The code at the end of the reason; of accepted mail, the code of the recorded decision. */
async function codeOf(user: string, sender: string): Promise<string> {
  const { status, response, reason } = await ask(user, sender)
  if (status === 200) return response
  return `${response} ${/\[(\w+)\]$/.exec(reason ?? '')?.[1]}`
}

test.each([
  ['the own address', (at: string) => `member@${at}`, 'DUNNO'],
  ['the own address in other letters', (at: string) => `<Member@${at.toUpperCase()}>`, 'DUNNO'],
  ['the own address with a tag', (at: string) => `member+news@${at}`, 'DUNNO'],
  ['an alias', (at: string) => `info@${at}`, 'DUNNO'],
  ['the address of a colleague', (at: string) => `controller@${at}`, 'REJECT M8'],
  ['an address nobody has', (at: string) => `ghost@${at}`, 'REJECT M8'],
  ['an address elsewhere', () => 'member@else.test', 'REJECT M8'],
  ['the null sender', () => '', 'REJECT M6'],
  ['a text that is no address', () => 'member', 'REJECT M6'],
  ['a NUL character', (at: string) => `mem\0ber@${at}`, 'REJECT M6'],
  ['a line break', (at: string) => `member@${at}\r\nX: y`, 'REJECT M6'],
])('a user who sends under %s is answered by the rule', async (_, sender, code) => {
  await makeAlias(app(), account.member, `info@${account.domain}`)
  expect(await codeOf(account.member.email, sender(account.domain))).toBe(code)
})

test.each(['', 'nobody@else.test', 'member', '\0', 'x'.repeat(900)])(
  'the login %j is rejected',
  async (login) => {
    expect(await codeOf(login, account.member.email)).toBe('REJECT M7')
  },
)

test('the login is the main address, not an alias', async () => {
  await makeAlias(app(), account.member, `info@${account.domain}`)
  expect(await codeOf(`info@${account.domain}`, `info@${account.domain}`)).toBe('REJECT M7')
})

describe('a suspension', () => {
  const { suspended } = userStatus
  test.each([
    ['of the user', () => setStatus(app(), account.member, ready | suspended)],
    ['of the owner', () => setStatus(app(), account.owner, ready | suspended)],
    ['of the domain', () => setDomain(domainStatus.active | domainStatus.suspended)],
    ['of an account that has to set up its payment first', awaitPayment],
  ])('%s stops all sending', async (_, suspend) => {
    await suspend()
    expect(await codeOf(account.member.email, account.member.email)).toBe('REJECT M9')
  })

  test("of an alias's domain stops sending under the alias", async () => {
    const other = await makeAccount(app())
    await makeAlias(app(), account.member, `info@${other.domain}`)
    expect(await codeOf(account.member.email, `info@${other.domain}`)).toBe('DUNNO')
    await setDomain(domainStatus.active | domainStatus.suspended, other.domain)
    expect(await codeOf(account.member.email, `info@${other.domain}`)).toBe('REJECT M8')
  })

  test('of a deleted user is that of an unknown one', async () => {
    await deleteUser(app(), account.member)
    expect(await codeOf(account.member.email, account.member.email)).toBe('REJECT M7')
  })

  async function awaitPayment(): Promise<void> {
    const value = await makePlan(app(), { title: 'paid', mode: 'mandate' })
    await app()
      .database.db.updateTable('userSettings')
      .set({ value })
      .where('userId', '=', account.owner.id)
      .where('key', '=', 'plan_id')
      .execute()
    await setStatus(app(), account.owner, userStatus.imapReady)
  }

  const setDomain = (status: number, namespace = account.domain) =>
    app().database.db.updateTable('domains').set({ status }).where('namespace', '=', namespace).execute()
})

describe('a delegate', () => {
  const boss = () => account.controller

  test("sends under the delegator's address and aliases", async () => {
    await makeDelegation(app(), boss(), account.member)
    await makeAlias(app(), boss(), `ceo@${account.domain}`)
    expect(await codeOf(account.member.email, boss().email)).toBe('DUNNO')
    expect(await codeOf(account.member.email, `ceo+x@${account.domain}`)).toBe('DUNNO')
    // not the other way round
    expect(await codeOf(boss().email, account.member.email)).toBe('REJECT M8')
  })

  test('needs the option to send', async () => {
    await makeDelegation(app(), boss(), account.member)
    const options = JSON.stringify({ mail: 'read-write', send_as: false })
    await app().database.db.updateTable('delegations').set({ options }).execute()
    expect(await codeOf(account.member.email, boss().email)).toBe('REJECT M8')
  })

  test('of a suspended user is rejected, and of a deleted one as well', async () => {
    await makeDelegation(app(), boss(), account.member)
    await setStatus(app(), boss(), ready | userStatus.suspended)
    expect(await codeOf(account.member.email, boss().email)).toBe('REJECT M9')
    await deleteUser(app(), boss())
    expect(await codeOf(account.member.email, boss().email)).toBe('REJECT M8')
  })
})

describe('without delegation', () => {
  const without = useTestApp({ ...withMailServices, APP_WITH_DELEGATION: '0' })

  test('a delegate sends under no other address', async () => {
    const boss = await makeUser(without(), { email: 'boss@solo.test' })
    const jane = await makeUser(without(), { email: 'jane@solo.test', walletId: boss.walletId })
    await makeDelegation(without(), boss, jane)
    const fields = { user: jane.email, sender: boss.email, recipients: 'ned@else.test' }
    expect(await askPolicy(without(), 'submission', fields)).toMatchObject({ response: 'REJECT' })
  })
})

describe('as a distribution list', () => {
  const makeList = async (facts: Record<string, unknown> = {}) => {
    const id = await makeObject(account, 'groups', { email: `team@${account.domain}`, ...facts })
    return { id, address: `team@${account.domain}` }
  }
  const restrict = (id: number) =>
    app()
      .database.db.updateTable('directoryObjects')
      .set({ membersMaySend: true })
      .where('id', '=', id)
      .execute()

  test('those who control the account send', async () => {
    const { address } = await makeList()
    expect(await codeOf(account.owner.email, address)).toBe('DUNNO')
    expect(await codeOf(account.controller.email, address)).toBe('DUNNO')
    expect(await codeOf(account.member.email, address)).toBe('REJECT M8')
  })

  test('members send if the list is restricted to members', async () => {
    const { id, address } = await makeList()
    await restrict(id)
    expect(await codeOf(account.member.email, address)).toBe('DUNNO')
    const outsider = await makeUser(app(), {
      email: `out@${account.domain}`,
      walletId: account.owner.walletId,
    })
    expect(await codeOf(outsider.email, address)).toBe('REJECT M8')
  })

  test('members of other accounts do not send', async () => {
    const other = await makeAccount(app())
    const { id, address } = await makeList({ members: [other.member.email] })
    await restrict(id)
    expect(await codeOf(other.member.email, address)).toBe('REJECT M8')
  })
})

describe('as a shared folder', () => {
  test.each([
    ['full', 'DUNNO'],
    ['read-write', 'REJECT M8'],
  ])('a user with the right %s is answered by the rule', async (right, code) => {
    const address = `sales@${account.domain}`
    const id = await makeObject(account, 'shared-folders')
    const { db } = app().database
    await db
      .insertInto('addresses')
      .values({ address, kind: 'folder-alias', objectId: id, tenantId: 0 })
      .execute()
    await db
      .insertInto('folderAcl')
      .values({ folderId: id, userId: account.member.id, right: right as 'full' | 'read-write' })
      .execute()
    expect(await codeOf(account.member.email, address)).toBe(code)
    expect(await codeOf(account.owner.email, address)).toBe('DUNNO')
  })
})

test('a decision is recorded with the account, the queue id and the client', async () => {
  const { member } = account
  await askPolicy(app(), 'submission', {
    ...{ user: member.email, sender: member.email, recipients: 'ned@else.test' },
    ...{ queue_id: '4XyZ', client_address: '192.0.2.9' },
  })
  await app().decisions.settled()
  const rows = await app()
    .database.db.selectFrom('mailDecisions')
    .select(['policy', 'reason', 'walletId', 'queueId', 'clientAddress', 'direction'])
    .where('objectId', '=', member.id)
    .orderBy('policy')
    .execute()
  const common = {
    walletId: account.owner.walletId,
    queueId: '4XyZ',
    clientAddress: '192.0.2.9',
    direction: 'out',
  }
  expect(rows).toEqual([
    { ...common, policy: 'rate', reason: 'rate.within-limits' },
    { ...common, policy: 'submission', reason: 'submission.own-address' },
  ])
})

describe('a call that cannot be read', () => {
  const form = 'application/x-www-form-urlencoded'
  test.each([
    ['without a sender', form, 'user=a%40b.test'],
    ['with an address of 50 kB', form, `user=a%40b.test&sender=${'a'.repeat(50_000)}%40b.test`],
    ['with 50,001 recipients', form, `sender=a%40b.test&${'recipients=a&'.repeat(50_001)}`],
    ['that is no JSON', 'application/json', '{"sender":'],
    ['that is a JSON list', 'application/json', '[]'],
    ['with a number as a sender', 'application/json', '{"sender":1}'],
  ])('%s is deferred', async (_, type, body) => {
    expect(await askWith(app(), 'submission', type, body)).toMatchObject({
      status: 403,
      response: 'DEFER_IF_PERMIT',
    })
  })

  test('with unpaired surrogates is answered, and its decision is stored', async () => {
    const body = `{"user":"${account.member.email}","sender":"\\ud800@else.test","recipients":["\\udc00\\u0000@else.test"]}`
    expect(await askWith(app(), 'submission', 'application/json', body)).toMatchObject({ response: 'REJECT' })
    await app().decisions.settled()
    const { db } = app().database
    const rows = await db
      .selectFrom('mailDecisions')
      .select('reason')
      .where('objectId', '=', account.member.id)
      .execute()
    expect(rows).toHaveLength(1)
  })
})
