import { domainStatus, userStatus } from '@gatehouse/contract/status'
import { beforeEach, describe, expect, test } from 'vitest'
import { after, day, hour, minute } from '../../platform/clock.ts'
import { newUuid } from '../../platform/ids.ts'
import { makeAccount, type TestAccount } from '../../testing/account-fixture.ts'
import { makeObject } from '../../testing/directory-fixture.ts'
import { deleteUser, makeAlias, makeDiscount, makeUser, setStatus } from '../../testing/factories.ts'
import { abroad, home, secondProcess, withMailServices } from '../../testing/servers/mail-services.ts'
import {
  askPolicy,
  askWith,
  type PolicyFields,
  type PolicyReply,
} from '../../testing/servers/policy-calls.ts'
import { useTestApp } from '../../testing/test-app.ts'
import { confirmSending } from '../held-mail/held-mail.ts'

const app = useTestApp({ ...withMailServices, RATELIMIT_WHITELIST: 'Monitor@white.test, cron@white.test' })
let account: TestAccount

beforeEach(async () => {
  // each test in its own windows; before signing in, because tokens expire
  app().clock.advance(2 * day)
  account = await makeAccount(app())
})

let count = 0
const fresh = () => `ned${++count}@else.test`
const send = (fields: PolicyFields = {}) =>
  askPolicy(app(), 'ratelimit', { sender: account.member.email, recipients: fresh(), ...fields })

/** `DUNNO`, or the response with its code. */
const codeOf = ({ response, reason }: PolicyReply) =>
  response === 'DUNNO' ? response : `${response} ${/\[(\w+)\]$/.exec(reason ?? '')?.[1]}`

async function sendMany(times: number, fields: PolicyFields = {}): Promise<string[]> {
  const codes: string[] = []
  for (let at = 0; at < times; at++) codes.push(codeOf(await send(fields)))
  return codes
}

const recipients = (number: number) => Array.from({ length: number }, fresh)
const ready = userStatus.active | userStatus.imapReady

async function pay(amount: number, facts: { refundOf?: string; provider?: string } = {}): Promise<string> {
  const id = newUuid()
  const now = app().clock.now()
  await app()
    .database.db.insertInto('payments')
    .values({
      ...{ id, walletId: account.owner.walletId, status: 'paid', amount },
      provider: facts.provider ?? 'stripe',
      ...{ type: facts.refundOf === undefined ? 'oneoff' : 'refund', refundOf: facts.refundOf ?? null },
      ...{ creditAmount: amount, currency: 'CHF', currencyAmount: amount, paidAt: now },
      ...{ createdAt: now, updatedAt: now },
    })
    .execute()
  return id
}

describe('a user of an account that never paid', () => {
  test('sends ten messages in an hour, the eleventh is held', async () => {
    expect(await sendMany(11)).toEqual([...Array(10).fill('DUNNO'), 'HOLD R5'])
    app().clock.advance(hour + minute)
    expect(codeOf(await send())).toBe('DUNNO')
  })

  test('writes to 100 recipients in an hour', async () => {
    expect(codeOf(await send({ recipients: recipients(60) }))).toBe('DUNNO')
    expect(codeOf(await send({ recipients: recipients(41) }))).toBe('HOLD R6')
  })

  test('shares the limit with the others of the account', async () => {
    await sendMany(6)
    await sendMany(4, { sender: account.controller.email })
    expect(codeOf(await send({ sender: account.owner.email }))).toBe('HOLD R5')
  })

  test('sends under aliases, tags, lists and folders within the same limit', async () => {
    const { domain, owner } = account
    await makeAlias(app(), account.member, `info@${domain}`)
    await makeObject(account, 'groups', { email: `team@${domain}` })
    await sendMany(5, { sender: `info+x@${domain}` })
    await sendMany(5, { sender: `team@${domain}` })
    expect(codeOf(await send())).toBe('HOLD R5')
    const [held] = await app()
      .database.db.selectFrom('userSending')
      .select('minutes')
      .where('userId', '=', owner.id)
      .execute()
    expect(held?.minutes).toMatchObject([{ messages: 5 }])
  })

  test('is limited as the one who signed in, whatever the sender', async () => {
    const fields = { user: account.member.email, sender: account.member.email }
    for (let at = 0; at < 10; at++) await askPolicy(app(), 'submission', { ...fields, recipients: fresh() })
    expect(codeOf(await askPolicy(app(), 'submission', { ...fields, recipients: fresh() }))).toBe('HOLD R5')
  })
})

describe('the limits of an account', () => {
  test('are higher once it has paid, until the payment is refunded', async () => {
    const id = await pay(500)
    expect(new Set(await sendMany(12))).toEqual(new Set(['DUNNO']))
    await pay(-500, { refundOf: id })
    expect(codeOf(await send())).toBe('HOLD R5')
    // a refund in part leaves a payment
    await pay(700)
    expect(codeOf(await send())).toBe('DUNNO')
  })

  test('are not raised by a payment in the sandbox, which moves no money', async () => {
    await pay(500, { provider: 'sandbox' })
    expect((await sendMany(11)).at(-1)).toBe('HOLD R5')
  })

  test('are higher if staff made it free of charge', async () => {
    const setDiscount = async (discount: number) => {
      const discountId = await makeDiscount(app(), { discount })
      await app()
        .database.db.updateTable('wallets')
        .set({ discountId })
        .where('id', '=', account.owner.walletId)
        .execute()
    }
    await sendMany(10)
    await setDiscount(99)
    expect(codeOf(await send())).toBe('HOLD R5')
    await setDiscount(100)
    expect(codeOf(await send())).toBe('DUNNO')
  })
})

describe('a sender', () => {
  test.each([
    ['elsewhere', 'ann@else.test', 'DUNNO'],
    ['of the whitelist', 'monitor@white.test', 'DUNNO'],
    ['that is no address', 'ann', 'HOLD R10'],
    ['that is empty', '', 'HOLD R10'],
  ])('%s is answered', async (_, sender, code) => {
    expect(codeOf(await send({ sender }))).toBe(code)
  })

  test('of the whitelist has no limit', async () => {
    const user = await makeUser(app(), { email: 'cron@white.test' })
    expect(new Set(await sendMany(12, { sender: user.email }))).toEqual(new Set(['DUNNO']))
  })

  const { suspended, degraded } = userStatus
  test.each([
    ['a suspended user', 'R11', () => setStatus(app(), account.member, ready | suspended)],
    ['a suspended owner', 'R11', () => setStatus(app(), account.owner, ready | suspended)],
    ['a degraded user', 'R12', () => setStatus(app(), account.member, ready | degraded)],
    ['a degraded owner', 'R12', () => setStatus(app(), account.owner, ready | degraded)],
    ['a deleted user', 'R11', () => deleteUser(app(), account.member)],
    [
      'a suspended domain',
      'R11',
      () =>
        app()
          .database.db.updateTable('domains')
          .set({ status: domainStatus.suspended })
          .where('namespace', '=', account.domain)
          .execute(),
    ],
  ])('of %s is held with %s', async (_, code, change) => {
    await change()
    expect(codeOf(await send())).toBe(`HOLD ${code}`)
  })
})

describe('a retry', () => {
  test.each([
    ['the same queue id', '4XyZ', false],
    ['the same queue id and more recipients', '4XyZ', true],
  ])('with %s counts no second message', async (_, queue_id, isGrowing) => {
    const list = recipients(5)
    for (let at = 1; at <= 20; at++) {
      const shown = isGrowing ? list.slice(0, at) : list
      expect(codeOf(await send({ queue_id, recipients: shown }))).toBe('DUNNO')
    }
    expect(await usage()).toEqual({ messages: 1, recipients: 5 })
  })

  test('of a held message is counted once, and accepted once there is room', async () => {
    await sendMany(10)
    const list = recipients(2)
    expect(await sendMany(3, { recipients: list })).toEqual(Array(3).fill('HOLD R5'))
    expect(await usage()).toMatchObject({ messages: 11 })
    app().clock.advance(hour + minute)
    expect(codeOf(await send({ recipients: list }))).toBe('DUNNO')
  })

  test('of an accepted list is a new message', async () => {
    const list = recipients(2)
    await sendMany(3, { recipients: list })
    expect(await usage()).toEqual({ messages: 3, recipients: 6 })
  })

  async function usage() {
    const row = await app()
      .database.db.selectFrom('accountSending')
      .select('hours')
      .where('walletId', '=', account.owner.walletId)
      .executeTakeFirstOrThrow()
    const sum = (field: 'messages' | 'recipients') => row.hours.reduce((total, one) => total + one[field], 0)
    return { messages: sum('messages'), recipients: sum('recipients') }
  }
})

test('two processes that decide at the same time let through no more than the limit', async () => {
  await using other = await secondProcess(app())
  const senders = [account.member, account.controller, account.owner]
  const calls = Array.from({ length: 40 }, (_, at) =>
    askPolicy(at % 2 === 0 ? app() : other, 'ratelimit', {
      sender: senders[at % 3]?.email ?? '',
      recipients: fresh(),
    }),
  )
  const codes = (await Promise.all(calls)).map(codeOf)
  expect(codes.filter((code) => code === 'DUNNO')).toHaveLength(10)
  expect(codes.filter((code) => code === 'HOLD R5')).toHaveLength(30)
})

describe('a warning', () => {
  test('is mailed to the user once in a window', async () => {
    await sendMany(9)
    const warnings = await mailsTo(account.member.email)
    expect(warnings.map(({ subject }) => subject)).toEqual([
      'You will soon reach a sending limit of Gatehouse',
    ])
    expect(warnings[0]?.text).toContain('Messages per hour: 8 / 10')
    app().clock.advance(2 * hour)
    await sendMany(8)
    expect(await mailsTo(account.member.email)).toHaveLength(2)
  })
})

const mailsTo = async (address: string) =>
  (await app().mails()).filter((mail) => mail.to.some((one) => one.address === address))

describe('sending that looks like a take-over', () => {
  beforeEach(() => pay(5000))

  /** Six quiet days from home. */
  async function behave() {
    for (let at = 0; at < 6; at++) {
      await sendMany(2, { client_address: home })
      app().clock.advance(day)
    }
  }
  const flood = async (fields: PolicyFields = {}) => {
    const codes: string[] = []
    for (let at = 0; at < 12; at++) {
      codes.push(codeOf(await send({ client_address: abroad, recipients: recipients(40), ...fields })))
    }
    return codes
  }

  test('is held, and the owner is told once', async () => {
    await behave()
    expect((await flood()).slice(-4)).toEqual(Array(4).fill('HOLD R9'))
    const told = await mailsTo(account.owner.email)
    expect(told.map(({ subject }) => subject)).toEqual([
      `Unusual sending from ${account.member.email} was stopped`,
    ])
    expect(told[0]?.text).toContain(`${abroad} (United States)`)
  })

  test("is accepted once the account's owner has confirmed it", async () => {
    await behave()
    await flood()
    const until = after(app().clock.now(), hour)
    const parts = { db: app().database.db, clock: app().clock }
    expect(await confirmSending(parts, account.member.id, until, { actor: {} })).toBeGreaterThan(0)
    expect(codeOf(await send({ client_address: abroad }))).toBe('DUNNO')
    app().clock.advance(2 * minute)
    await sendMany(3, { client_address: abroad })
    app().clock.advance(hour - 4 * minute)
    expect(codeOf(await send({ client_address: abroad, recipients: recipients(400) }))).toBe('DUNNO')
  })

  test('counts recipients that other servers rejected, from several processes at once', async () => {
    await Promise.all([1, 2, 3].map((number) => app().rate.recipientsRejected(account.member.id, number)))
    await send()
    const { rejections } = await app()
      .database.db.selectFrom('userSending')
      .select('rejections')
      .where('userId', '=', account.member.id)
      .executeTakeFirstOrThrow()
    expect(rejections).toMatchObject([{ messages: 0, recipients: 6 }])
  })

  test('of the same amount from a user who often sends that much is not held', async () => {
    for (let at = 0; at < 6; at++) {
      await flood({ client_address: home })
      app().clock.advance(day)
    }
    expect(new Set(await flood({ client_address: home }))).not.toContain('HOLD R9')
  })
})

describe('hostile input', () => {
  test('of 50,000 recipients is counted', async () => {
    const list = Array.from({ length: 50_000 }, (_, at) => `n${at}@else.test`)
    expect(codeOf(await send({ recipients: list, queue_id: 'BIG' }))).toBe('HOLD R6')
    const held = await app()
      .database.db.selectFrom('heldMessages')
      .select(['recipientCount', 'recipients'])
      .where('queueId', '=', 'BIG')
      .executeTakeFirstOrThrow()
    expect([held.recipientCount, held.recipients.length]).toEqual([50_000, 100])
  })

  test.each([
    ['a NUL character in a recipient', { recipients: 'a\0@else.test' }, 'DUNNO'],
    ['a NUL character in the sender', { sender: 'a\0b@else.test' }, 'DUNNO'],
    ['no recipient', { recipients: [] }, 'DUNNO'],
    ['a queue id that no mail server makes', { queue_id: "'; drop table users\0" }, 'DUNNO'],
    ['an address of the client that is none', { client_address: '::1\0%eth0' }, 'DUNNO'],
    ['a Message-ID of 1000 characters', { message_id: 'ü'.repeat(1000) }, 'DUNNO'],
    ['a recipient of 50 kB', { recipients: `${'a'.repeat(50_000)}@else.test` }, 'DEFER_IF_PERMIT undefined'],
  ])('with %s is answered', async (_, fields, code) => {
    expect(codeOf(await send(fields))).toBe(code)
  })

  test('without the secret of the mail servers is refused', async () => {
    const { status } = await app().call('POST /api/webhooks/policy/ratelimit', {
      body: { sender: 'a@b.test' },
    })
    expect(status).not.toBe(200)
  })
})

test('while the database fails, mail servers are asked to try again', async () => {
  await app().database.db.schema.alterTable('send_attempts').renameTo('send_attempts_away').execute()
  const json = JSON.stringify({ sender: account.member.email, recipients: 'ned@else.test' })
  const answer = await askWith(app(), 'ratelimit', 'application/json', json)
  await app().database.db.schema.alterTable('send_attempts_away').renameTo('send_attempts').execute()
  expect(answer).toMatchObject({ status: 403, response: 'DEFER_IF_PERMIT' })
  expect(codeOf(await send())).toBe('DUNNO')
})

test('old attempts, days, places and recipients are purged', async () => {
  await send({ client_address: home })
  const rows = async () => {
    const tables = ['sendAttempts', 'sendingDays', 'sendingPlaces', 'sentRecipients'] as const
    const counts = tables.map((table) =>
      app().database.db.selectFrom(table).select('userId').where('userId', '=', account.member.id).execute(),
    )
    return (await Promise.all(counts)).map(({ length }) => length)
  }
  const purgeAfter = async (days: number) => {
    app().clock.advance(days * day)
    await app().rate.purge()
    return rows()
  }
  expect(await rows()).toEqual([1, 1, 1, 1])
  expect(await purgeAfter(6)).toEqual([0, 1, 1, 1])
  expect(await purgeAfter(30)).toEqual([0, 0, 1, 1])
  expect(await purgeAfter(60)).toEqual([0, 0, 0, 1])
  expect(await purgeAfter(90)).toEqual([0, 0, 0, 0])
})
