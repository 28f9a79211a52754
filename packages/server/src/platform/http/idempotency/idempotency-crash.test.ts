import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DatabaseGate, databaseGate } from '../../../testing/database-gate.ts'
import { makeDomain, makeUser, signInAs } from '../../../testing/factories.ts'
import { makeFileOwner } from '../../../testing/files.ts'
import { makePayer } from '../../../testing/payments/sandbox.ts'
import { bareStep, makePlan } from '../../../testing/signup/signup-ways.ts'
import { type MadeStaff, makeStaff } from '../../../testing/staff.ts'
import { type Answer, createTestApp, type TestApp } from '../../../testing/test-app.ts'
import { newUuid } from '../../ids.ts'

let app: TestApp
let gate: DatabaseGate | undefined

beforeAll(async () => {
  const databaseUrlOf = async (url: string) => {
    gate = await databaseGate(url)
    return gate.url
  }
  app = await createTestApp({}, undefined, { databaseUrlOf })
  await makeDomain(app, 'example.test')
  await makePlan(app, { title: 'phone', mode: 'mandate' })
})

afterAll(async () => {
  await app.close()
  await gate?.[Symbol.asyncDispose]()
})

type Moment = 'before' | 'after'

/** A request, how to count its executions, and what its response has to contain. */
interface Act {
  readonly send: (headers: Record<string, string>) => Promise<Answer>
  readonly done: () => Promise<readonly string[]>
  readonly named: (body: Answer['body']) => string
  /**
   * `after` alone if nothing but statements changes anything: death after one statement leaves the same state as
   * death before the next one. Both if something happens between statements, at a provider or on the disk.
   */
  readonly moments: readonly Moment[]
}

const both: readonly Moment[] = ['before', 'after']

let signups = 0
/** Staff for all awards. */
let admin: MadeStaff | undefined

const acts: Readonly<Record<string, () => Promise<Act>>> = {
  'an award of staff': async () => {
    admin ??= await makeStaff(app, 'admin')
    const staff = admin
    const { walletId } = await makeUser(app)
    const body = { amount: '10', description: 'Outage in May' }
    const { db } = app.database
    return {
      moments: ['after'],
      send: (headers) => staff.call(`POST /api/v4/wallets/${walletId}/one-off`, { body, headers }),
      named: ({ balance }) => String(balance),
      done: async () => {
        const entries = db.selectFrom('ledgerEntries').select('balance').where('walletId', '=', walletId)
        return (await entries.execute()).map(({ balance }) => String(balance))
      },
    }
  },
  'a payment': async () => {
    const { user, walletId } = await makePayer(app)
    const { access_token: token } = await signInAs(app, user)
    const { db } = app.database
    return {
      moments: both,
      send: (headers) => app.call('POST /api/v4/payments', { token, body: { amount: 10 }, headers }),
      named: ({ id }) => id,
      done: async () => {
        const own = db.selectFrom('payments').select(['id', 'providerId']).where('walletId', '=', walletId)
        const rows = await own.execute()
        const ids = rows.map(({ id }) => id)
        const ordered = db.selectFrom('sandboxPayments').select('id').where('paymentId', 'in', ids)
        expect(await ordered.execute()).toEqual(rows.map(({ providerId: id }) => ({ id })))
        return ids
      },
    }
  },
  'a sign-up that is paid at once': async () => {
    const login = `payer${++signups}`
    // a new address each, because sign-ups are throttled
    const ip = `203.${signups}.113.7`
    const body = bareStep(login, { plan: 'phone' })
    const { db } = app.database
    return {
      moments: ['after'],
      send: (headers) => app.call('POST /api/auth/signup', { body, headers, ip }),
      named: (answer) => {
        expect(answer).toMatchObject({ isLocked: true, redirect: 'payment-status', checkout: { cost: 990 } })
        expect(answer.checkout.redirectUrl).toContain('/sandbox/')
        return `${answer.id} ${answer.checkout.id}`
      },
      done: async () => {
        const { id } = await db
          .selectFrom('users')
          .select('id')
          .where('email', '=', `${login}@example.test`)
          .executeTakeFirstOrThrow()
        const sessions = db.selectFrom('sessions').select('id').where('userId', '=', id)
        expect(await sessions.execute()).toHaveLength(1)
        const payments = db
          .selectFrom('payments as p')
          .innerJoin('wallets as w', 'w.id', 'p.walletId')
          .innerJoin('sandboxPayments as s', 's.paymentId', 'p.id')
          .select('p.id')
          .where('w.userId', '=', id)
        return (await payments.execute()).map((payment) => `${id} ${payment.id}`)
      },
    }
  },
  'a file that is sent': async () => {
    const owner = await makeFileOwner(app)
    return {
      moments: both,
      send: (headers) => owner.send('notes.txt', 'some content', { headers }),
      named: ({ id }) => id,
      done: () => itemsOf(owner.user.id),
    }
  },
  'a folder': async () => {
    const owner = await makeFileOwner(app)
    const body = { type: 'collection', name: 'Plans' }
    return {
      moments: ['after'],
      send: (headers) => owner.call('POST /api/v4/fs', { body, headers }),
      named: ({ id }) => id,
      done: () => itemsOf(owner.user.id),
    }
  },
  'an app password': async () => {
    const user = await makeUser(app)
    const { access_token: token } = await signInAs(app, user)
    const body = { name: 'Thunderbird', scopes: ['imap', 'smtp'] }
    const { db } = app.database
    return {
      moments: ['after'],
      send: (headers) => app.call('POST /api/v4/app-passwords', { token, body, headers }),
      named: ({ id }) => id,
      done: async () => {
        const own = db.selectFrom('appPasswords').select('id').where('userId', '=', user.id)
        return (await own.execute()).map(({ id }) => id)
      },
    }
  },
}

async function itemsOf(ownerId: number): Promise<string[]> {
  const items = app.database.db.selectFrom('fsItems').select('id').where('ownerId', '=', ownerId)
  return (await items.execute()).map(({ id }) => id)
}

/** Kills the process at a statement, and repeats the request until it gets a response. */
async function killAndRepeat(act: Act, statement: number, moment: Moment): Promise<void> {
  const door = gateOf()
  const headers = { 'idempotency-key': newUuid() }
  door.shutAt(statement, moment)
  const cut = await act.send(headers)
  await door.shut()
  await door.open()
  // no process renews the lease
  app.clock.advance(16)
  let again = await act.send(headers)
  // broken connections are detected one by one
  for (let tries = 0; again.status === 503 && tries < 20; tries++) again = await act.send(headers)
  expect(again, `killed ${moment} statement ${statement}, first answer ${cut.status}`).toMatchObject({
    status: 200,
  })
  const replayed = await act.send(headers)
  expect(replayed.headers['idempotency-replayed']).toBe('true')
  expect(replayed.body).toEqual(again.body)
  if (cut.status === 200) expect(again.body).toEqual(cut.body)
  expect(await act.done()).toEqual([act.named(again.body)])
}

function gateOf(): DatabaseGate {
  if (gate === undefined) throw new Error('the gate is there inside tests only')
  return gate
}

test.each(Object.entries(acts))(
  'a process killed at any statement of %s never does it twice',
  async (_name, make) => {
    // fills caches
    await (await make()).send({ 'idempotency-key': newUuid() })
    const sample = await make()
    const before = gateOf().statements
    expect((await sample.send({ 'idempotency-key': newUuid() })).status).toBe(200)
    const count = gateOf().statements - before
    expect(count).toBeGreaterThan(5)
    for (let statement = 1; statement <= count; statement++) {
      for (const moment of sample.moments) await killAndRepeat(await make(), statement, moment)
    }
  },
  600_000,
)
