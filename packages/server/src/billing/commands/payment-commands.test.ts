import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CommandFailed, UsageError } from '../../platform/cli/command.ts'
import { commandLine } from '../../testing/command-line.ts'
import { balanceOf } from '../../testing/payments/billing.ts'
import { makePayer, sandboxOf } from '../../testing/payments/sandbox.ts'
import { useTestApp } from '../../testing/test-app.ts'

const app = useTestApp()
let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rates-'))
})

afterAll(() => rm(folder, { recursive: true }))

const run = commandLine(app, { NODE_ENV: 'test', SECRET_KEY: 'of the command line and nobody else' })

async function paidOne(amount = 10) {
  const payer = await makePayer(app())
  const payment = await payer.pay(amount)
  await run('sandbox:decide', payment.id, 'paid')
  return { ...payer, ...payment, balance: () => balanceOf(app(), payer.walletId) }
}

describe('a sandbox payment', () => {
  test('is decided manually, once', async () => {
    const payer = await makePayer(app())
    const { id } = await payer.pay(10)
    expect(await run('sandbox:decide', id, 'paid')).toEqual([
      expect.stringMatching(
        new RegExp(`^${id}  2026-03-10 12:00:00  oneoff  paid  1000 \\(1000 CHF\\)  sandbox sbx_`),
      ),
    ])
    expect(await balanceOf(app(), payer.walletId)).toBe(1000)
    await expect(run('sandbox:decide', id, 'failed')).rejects.toThrow(CommandFailed)
    await expect(run('sandbox:decide', id, 'free')).rejects.toThrow(UsageError)
    await expect(run('sandbox:decide', 'unknown', 'paid')).rejects.toThrow(UsageError)
  })

  test('is charged back by its bank', async () => {
    const { id, balance } = await paidOne()
    await run('sandbox:chargeback', id, '400')
    expect(await balance()).toBe(600)
    await expect(run('sandbox:chargeback', id, '601')).rejects.toThrow(CommandFailed)
    await expect(run('sandbox:chargeback', id, '-1')).rejects.toThrow(UsageError)
  })
})

describe('a refund', () => {
  test('returns a part, then the rest, then nothing more', async () => {
    const { id, balance, user } = await paidOne()
    expect(await run('payment:refund', id, '300')).toEqual(['Refunded: 300 CHF'])
    expect(await balance()).toBe(700)
    await expect(run('payment:refund', id, '701')).rejects.toThrow('can’t be refunded')
    expect(await run('payment:refund', id)).toEqual(['Refunded: 700 CHF'])
    expect(await balance()).toBe(0)
    await expect(run('payment:refund', id)).rejects.toThrow(CommandFailed)
    const record = await app()
      .database.db.selectFrom('eventLog')
      .select(['event', 'data'])
      .where('objectId', '=', user.id)
      .where('event', '=', 'payment.refunded')
      .execute()
    expect(record.map(({ data }) => data)).toEqual([
      { payment: id, amount: 300, currency: 'CHF' },
      { payment: id, amount: 700, currency: 'CHF' },
    ])
  })

  test.each(['1001', '0', 'all', '1.50', '-5', '1e3'])('of %s is refused', async (cents) => {
    const { id, balance } = await paidOne()
    await expect(run('payment:refund', id, cents)).rejects.toThrow()
    expect(await balance()).toBe(1000)
  })

  test('takes refunds made elsewhere into account', async () => {
    const { id, providerId, balance } = await paidOne()
    sandboxOf(app()).mailman = async () => {}
    await sandboxOf(app()).chargeBack(providerId, 900)
    await expect(run('payment:refund', id, '200')).rejects.toThrow(CommandFailed)
    expect(await run('payment:refund', id)).toEqual(['Refunded: 100 CHF'])
    expect(await balance()).toBe(0)
  })

  test('of an unpaid payment is rejected', async () => {
    const { id } = await (await makePayer(app())).pay(10)
    await expect(run('payment:refund', id)).rejects.toThrow(CommandFailed)
    await expect(run('payment:refund', 'unknown')).rejects.toThrow(UsageError)
  })
})

describe('lists', () => {
  test("show a wallet's payments and refunds, newest first", async () => {
    const { id, walletId } = await paidOne()
    app().clock.advance(1)
    await run('payment:refund', id, '300')
    const lines = await run('payment:list', walletId)
    expect(lines).toEqual([
      expect.stringMatching(/refund {2}paid {2}-300 \(-300 CHF\)/),
      expect.stringMatching(/oneoff {2}paid {2}1000 \(1000 CHF\)/),
    ])
    expect(await run('payment:list', (await makePayer(app())).walletId)).toEqual(['No payments.'])
    expect(await run('payment:settle', id)).toEqual([lines[1]])
    await expect(run('payment:settle', 'unknown')).rejects.toThrow(UsageError)
  })

  test("show what needs an operator's attention", async () => {
    expect(await run('payment:alarms')).toEqual(['No alarms.'])
    const { id, providerId } = await paidOne()
    await app().database.db.deleteFrom('sandboxPayments').where('id', '=', providerId).execute()
    await run('payment:settle', id)
    expect(await run('payment:alarms')).toEqual([expect.stringContaining(`lost  sandbox ${providerId}`)])
  })
})

describe('exchange rates', () => {
  const file = async (content: string) => {
    const path = join(folder, 'rates.json')
    await writeFile(path, content)
    return path
  }

  test('are imported from a file, repeatedly', async () => {
    const write = (rate: string) =>
      file(`{"base":"CHF","date":"2026-03-10","rates":{"EUR":${rate},"USD":"1.1"}}`)
    expect(await run('exchange:import', await write('1.05'))).toEqual(['CHF, 2026-03-10: EUR, USD'])
    await run('exchange:import', await write('1.0638'))
    const rows = await app()
      .database.db.selectFrom('exchangeRates')
      .select(['currency', 'day', 'rate'])
      .orderBy('currency')
      .execute()
    expect(rows).toEqual([
      { currency: 'EUR', day: '2026-03-10', rate: '1.0638000000' },
      { currency: 'USD', day: '2026-03-10', rate: '1.1000000000' },
    ])
  })

  test.each([
    'no JSON',
    '[]',
    '{"base":"CHF","date":"2026-03-10","rates":{}}',
    '{"base":"chf","date":"2026-03-10","rates":{"EUR":1}}',
    '{"base":"CHF","date":"2026-02-30","rates":{"EUR":1}}',
    '{"base":"CHF","date":"2026-03-10","rates":{"EUR":0}}',
    '{"base":"CHF","date":"2026-03-10","rates":{"EUR":-1}}',
    '{"base":"CHF","date":"2026-03-10","rates":{"EUR":"1e3"}}',
    '{"base":"CHF","date":"2026-03-10","rates":{"CHF":1}}',
    '{"base":"CHF","date":"2026-03-10","rates":{"EUR":1e-12}}',
  ])('of %s are refused', async (content) => {
    await expect(run('exchange:import', await file(content))).rejects.toThrow(UsageError)
    await expect(run('exchange:import', join(folder, 'missing.json'))).rejects.toThrow(UsageError)
  })
})
