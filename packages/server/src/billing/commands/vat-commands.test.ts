import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { UsageError } from '../../platform/cli/command.ts'
import { commandLine } from '../../testing/command-line.ts'
import { makeUser } from '../../testing/factories.ts'
import { makePayment } from '../../testing/payments/payments.ts'
import { useTestApp } from '../../testing/test-app.ts'
import { vatRateOf } from '../vat/vat-store.ts'

const app = useTestApp()
let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-vat-'))
})
afterAll(() => rm(folder, { recursive: true }))

const run = commandLine(app, { COMPANY_NAME: 'Pear AG', COMPANY_ADDRESS: 'Lane 2 | 8000 Town' })

async function fileWith(content: string): Promise<string> {
  const file = join(folder, 'rates.json')
  await writeFile(file, content)
  return file
}

const rateOf = async (country: string, day: string) =>
  (await vatRateOf(app().database.db, country, new Date(day)))?.rate

describe('vat:import', () => {
  test('sets rates from a date on, and lists the changes', async () => {
    const file = await fileWith('{"CH": 8.1, "DE": 19, "FI": 25.55, "US": 0}')
    expect(await run('vat:import', file, '2026-01-01')).toEqual([
      'Rates changed from 2026-01-01: CH, DE, FI, US',
    ])
    expect([await rateOf('CH', '2026-01-01'), await rateOf('FI', '2026-06-01')]).toEqual([810, 2555])
    expect(await rateOf('CH', '2025-12-31')).toBeUndefined()
    expect(await run('vat:import', file, '2026-02-01')).toEqual(['No rates changed.'])
  })

  test.each([
    'no json',
    '[]',
    '[["AT", 20]]',
    '"AT"',
    'null',
    '{"AT": "20"}',
    '{"AT": 20, "at": 20}',
    '{"AUT": 20}',
    '{"AT": -1}',
    '{"AT": 100.01}',
    '{"AT": 20.005}',
    '{"AT": null}',
    '{"AT": 1e999}',
  ])('refuses a file with %s and sets nothing', async (content) => {
    await expect(run('vat:import', await fileWith(content), '2026-01-01')).rejects.toThrow(UsageError)
    expect(await rateOf('AT', '2026-06-01')).toBeUndefined()
  })

  test.each(['2026-02-30', '2026-1-1', 'today', '', "2026-01-01'", '20260101'])(
    'refuses the day %j',
    async (day) => {
      await expect(run('vat:import', await fileWith('{"AT": 20}'), day)).rejects.toThrow(UsageError)
      expect(await rateOf('AT', '2027-01-01')).toBeUndefined()
    },
  )

  test('rejects a missing file', async () => {
    await expect(run('vat:import', join(folder, 'none.json'), '2026-01-01')).rejects.toThrow(UsageError)
  })
})

test("receipts:issue issues due receipts once, in the company's name", async () => {
  const { walletId } = await makeUser(app())
  await makePayment(app(), walletId, { amount: 1000, paidAt: '2026-02-05T00:00:00Z' })
  expect(await run('receipts:issue')).toEqual(['issued: 1 documents'])
  expect(await run('receipts:issue')).toEqual(['issued: 0 documents'])
  const { rows } = await app().database.pool.query('select facts from receipts where wallet_id = $1', [
    walletId,
  ])
  expect(rows[0].facts.company).toMatchObject({ name: 'Pear AG', address: ['Lane 2', '8000 Town'] })
})
