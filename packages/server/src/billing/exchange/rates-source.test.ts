import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeStaff } from '../../testing/staff.ts'
import { useTestApp } from '../../testing/test-app.ts'
import { parseRates, RatesRefused, renewRatesJob } from './rates-source.ts'

const folder = await mkdtemp(join(tmpdir(), 'gatehouse-rates-'))
const file = join(folder, 'rates.json')
const app = useTestApp({ EXCHANGE_RATES: file })

beforeAll(() => writeFile(file, '{"base":"CHF","date":"2026-03-10","rates":{"EUR":1.0638}}'))
afterAll(() => rm(folder, { recursive: true }))

/** Health of the exchange rates in the cockpit. */
async function health() {
  const admin = await makeStaff(app(), 'admin')
  const { body } = await admin.call('GET /api/v4/health')
  return body.parts.find(({ name }: { name: string }) => name === 'exchange')
}

/** Runs the scheduled update now. */
async function renew(): Promise<void> {
  const { jobs, database } = app()
  await jobs.enqueue(database.db, renewRatesJob, {})
  await jobs.drain()
  expect(await jobs.failed()).toEqual([])
}

describe('exchange rates', () => {
  test('are updated from the configured file, and their age is part of the health check', async () => {
    expect(await health()).toMatchObject({ state: 'degraded', facts: { ageDays: null } })
    await renew()
    expect(await health()).toMatchObject({ state: 'ok', facts: { ageDays: 0 } })
    app().clock.advance(8 * 86_400)
    expect(await health()).toMatchObject({ state: 'degraded', facts: { ageDays: 8 } })
    await writeFile(file, '{"base":"CHF","timestamp":1773799200,"rates":{"CHF":1,"EUR":1.07}}')
    await renew()
    expect(await health()).toMatchObject({ state: 'ok', facts: { ageDays: 0 } })
  })

  test('that are invalid are rejected with a reason, which does not reveal keys in the URL', () => {
    expect(() => parseRates('nothing', 'x.json')).toThrow(new RatesRefused('x.json is not JSON.'))
    expect(() => parseRates('{"base":"CHF","rates":{"EUR":1}}', 'x.json')).toThrow('is not a date')
  })
})
