import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { day } from '../../platform/clock.ts'
import { newUuid } from '../../platform/ids.ts'
import { giveMoney, makeUser } from '../../testing/factories.ts'
import { useTestApp } from '../../testing/test-app.ts'
import { type ChainLine, canonicalText } from './chain.ts'
import type { Posting } from './entry.ts'
import { readChain } from './ledger-store.ts'
import { IllegalPosting, post } from './post.ts'
import { findProblems, verifyLedger } from './verify.ts'

const app = useTestApp()
let walletId = ''

beforeAll(async () => {
  walletId = (await makeUser(app())).walletId
})

/** Thrown to roll back a transaction. */
class Seen extends Error {
  readonly checks: readonly string[]

  constructor(checks: readonly string[]) {
    super('seen')
    this.checks = checks
  }
}

const newWallet = async () => (await makeUser(app())).walletId

function posting(facts: Partial<Posting> = {}): Posting {
  return { walletId, type: 'credit', amount: 100, key: `test:${newUuid()}`, text: 'payment', ...facts }
}

const write = (facts: Partial<Posting> = {}) => post(app().database.db, app().clock, posting(facts))

async function balanceOf(id: string): Promise<number> {
  const row = await app()
    .database.db.selectFrom('wallets')
    .select('balance')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return row.balance
}

describe('an entry', () => {
  test.each([
    ['award', 500],
    ['credit', 500],
    ['debit', -500],
    ['penalty', -500],
    ['refund', -500],
    ['chback', -500],
  ] as const)('of type %s changes the balance by %i', async (type, change) => {
    const id = await newWallet()
    const entry = await write({ walletId: id, type, amount: 500 })
    expect(entry).toMatchObject({ amount: change, balance: change, isNew: true })
    expect(await balanceOf(id)).toBe(change)
  })

  test('has two postings that sum to zero', async () => {
    const entry = await write({ amount: 7 })
    const postings = await app()
      .database.db.selectFrom('ledgerPostings')
      .select(['account', 'amount', 'tenantId'])
      .where('entryId', '=', entry?.id ?? '')
      .orderBy('account')
      .execute()
    expect(postings).toEqual([
      { account: 'payments', amount: -7, tenantId: 0 },
      { account: 'wallet', amount: 7, tenantId: 0 },
    ])
  })

  test('with amount 0 is not written', async () => {
    expect(await write({ amount: 0 })).toBeUndefined()
  })

  test.each([-1, 1.5, Number.NaN, 2 ** 60])('of %d is rejected', async (amount) => {
    await expect(write({ amount })).rejects.toThrow(IllegalPosting)
  })

  test('with an existing key returns the first one', async () => {
    const id = await newWallet()
    const facts = { walletId: id, key: 'order:first', amount: 250 }
    const first = await write(facts)
    const second = await write(facts)
    expect(second).toEqual({ ...first, isNew: false })
    expect(await balanceOf(id)).toBe(250)
    await expect(write({ ...facts, amount: 251 })).rejects.toThrow(IllegalPosting)
    await expect(write({ ...facts, walletId })).rejects.toThrow(IllegalPosting)
  })

  test('increments the revision of the wallet once', async () => {
    const id = await newWallet()
    const revision = async () =>
      (
        await app()
          .database.db.selectFrom('wallets')
          .select('revision')
          .where('id', '=', id)
          .executeTakeFirstOrThrow()
      ).revision
    const before = await revision()
    await write({ walletId: id })
    expect(await revision()).toBe(before + 1)
  })

  test('below zero starts a debt, and the one that settles it ends the debt', async () => {
    const id = await newWallet()
    const debt = () =>
      app()
        .database.db.selectFrom('walletDebts')
        .select('negativeSince')
        .where('walletId', '=', id)
        .executeTakeFirst()
    await giveMoney(app(), id, -10)
    const since = app().clock.now()
    app().clock.advance(day)
    await giveMoney(app(), id, -10)
    expect(await debt()).toEqual({ negativeSince: since })
    await giveMoney(app(), id, 20)
    expect(await debt()).toBeUndefined()
  })
})

describe('many concurrent writers', () => {
  test("lose nothing and number a wallet's entries without gaps", async () => {
    const id = await newWallet()
    const keys = Array.from({ length: 40 }, (_, index) => `race:${id}:${index % 30}`)
    const entries = await Promise.all(keys.map((key) => write({ walletId: id, key, amount: 3 })))
    expect(entries.filter((entry) => entry?.isNew)).toHaveLength(30)
    expect(await balanceOf(id)).toBe(90)
    const numbers = await app()
      .database.db.selectFrom('ledgerEntries')
      .select('number')
      .where('walletId', '=', id)
      .orderBy('number')
      .execute()
    expect(numbers.map((row) => row.number)).toEqual(Array.from({ length: 30 }, (_, index) => index + 1))
  })
})

describe('the database refuses', () => {
  test.each([
    ['a balance set by hand', `update wallets set balance = balance + 1`],
    [
      'a new wallet with money',
      `insert into wallets (id, user_id, currency, balance, created_at)
      select gen_random_uuid(), user_id, 'CHF', 5, now() from wallets limit 1`,
    ],
    ['a changed entry', `update ledger_entries set amount = 1`],
    ['a deleted entry', `delete from ledger_entries`],
    ['emptying the ledger', `truncate ledger_entries cascade`],
    ['a changed posting', `update ledger_postings set amount = 1`],
    ['a deleted posting', `delete from ledger_postings`],
    ['emptying the postings', `truncate ledger_postings`],
    [
      'another posting',
      `insert into ledger_postings (entry_id, account, tenant_id, amount)
      select id, 'awards', 0, 5 from ledger_entries where account <> 'awards' limit 1`,
    ],
    [
      'postings that do not sum to zero',
      `insert into ledger_postings (entry_id, account, tenant_id, amount)
      select id, 'wallets', 0, 5 from ledger_entries limit 1`,
    ],
    [
      'an entry of nothing',
      `insert into ledger_entries (id, wallet_id, type, amount, account, key, description,
      parameters, created_at) select gen_random_uuid(), id, 'credit', 0, 'payments', 'x', 'x', '{}', now()
      from wallets limit 1`,
    ],
    [
      'a credit that takes away',
      `insert into ledger_entries (id, wallet_id, type, amount, account, key, description,
      parameters, created_at) select gen_random_uuid(), id, 'credit', -5, 'payments', 'x', 'x', '{}', now()
      from wallets limit 1`,
    ],
  ])('%s', async (_, statement) => {
    await write()
    await expect(sql.raw(statement).execute(app().database.db)).rejects.toMatchObject({
      code: expect.stringMatching(/^23/),
    })
    expect(await verifyLedger(app().database.db)).toEqual([])
  })

  test('a number, a balance and a hash provided by the client', async () => {
    const id = await newWallet()
    await sql`insert into ledger_entries (id, wallet_id, number, balance, hash, currency, type, amount, account, key,
      description, parameters, created_at) values (gen_random_uuid(), ${id}, 77, 1000, 'x', 'EUR', 'credit', 5,
      'payments', 'brought', 'payment', '{}', now())`.execute(app().database.db)
    const [line] = await readChain(app().database.db, id)
    expect(line).toMatchObject({ number: 1, balance: 5, currency: 'CHF', previous: '' })
    expect(await verifyLedger(app().database.db)).toEqual([])
  })
})

describe('the chain', () => {
  const hash = (line: ChainLine) => createHash('sha256').update(canonicalText(line)).digest('hex')

  test('can be verified from its download alone', async () => {
    const id = await newWallet()
    for (const text of ['payment', 'award', 'refund'] as const) {
      await write({
        walletId: id,
        type: text === 'payment' ? 'credit' : text,
        text,
        parameters: { user: 'Jürg "J" <j@example.test>', line: 'a\nb' },
        actor: { userId: 7, email: 'staff@example.test' },
      })
    }
    const lines = await readChain(app().database.db, id)
    expect(lines).toHaveLength(3)
    let previous = ''
    for (const line of lines) {
      expect(line.previous).toBe(previous)
      expect(hash(line)).toBe(line.hash)
      const bytes = new TextEncoder().encode(canonicalText(line))
      const digest = await crypto.subtle.digest('SHA-256', bytes)
      expect(Buffer.from(digest).toString('hex')).toBe(line.hash)
      previous = line.hash
    }
  })

  test('reveals changes made outside the ledger', async () => {
    const id = await newWallet()
    for (let count = 0; count < 3; count++) await write({ walletId: id })
    const { db } = app().database
    const behind = async (statement: ReturnType<typeof sql>) =>
      db
        .transaction()
        .execute(async (trx) => {
          await sql`set local session_replication_role = replica`.execute(trx)
          await statement.execute(trx)
          await sql`set local session_replication_role = default`.execute(trx)
          throw new Seen((await findProblems(trx)).map(({ check }) => check))
        })
        .catch((error: unknown) => (error instanceof Seen ? error.checks : Promise.reject(error)))
    const where = sql`where wallet_id = ${id} and number = 2`
    expect(
      await behind(sql`update ledger_entries set created_at = created_at - interval '1 day' ${where}`),
    ).toEqual(['chain is broken'])
    expect(await behind(sql`update ledger_entries set parameters = '{"a":1}' ${where}`)).toEqual([
      'chain is broken',
    ])
    expect(await behind(sql`delete from ledger_entries ${where}`)).toEqual(['chain is broken'])
    expect(await behind(sql`update wallets set balance = balance + 1 where id = ${id}`)).toEqual([
      'balance is not the sum of the postings',
      'last entry differs from the balance',
    ])
    expect(
      await behind(
        sql`update ledger_postings set amount = amount + 1 where wallet_id = ${id} and account = 'wallet'`,
      ),
    ).toEqual([
      'balance is not the sum of the postings',
      'postings of an entry do not sum to zero or are not its own',
    ])
    expect(await verifyLedger(db)).toEqual([])
  })
})
