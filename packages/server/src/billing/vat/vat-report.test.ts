import { beforeEach, describe, expect, test } from 'vitest'
import { commandLine } from '../../testing/command-line.ts'
import { makeTenant, makeUser } from '../../testing/factories.ts'
import { makePayment } from '../../testing/payments/payments.ts'
import { makeStaff } from '../../testing/staff.ts'
import { useTestApp } from '../../testing/test-app.ts'
import { issueReceipts } from '../receipts/issue-receipts.ts'
import { parseReportPeriod } from './vat-report.ts'
import { setVatRates, vatRateOf } from './vat-store.ts'

const app = useTestApp()
const run = commandLine(app)

const company = { service: 'Gatehouse', name: 'Gatehouse AG', address: [], details: [], email: null }

beforeEach(async () => {
  const { db } = app().database
  if ((await run('vat:report', '2026')).length > 0) return
  await setVatRates(db, '2025-01-01', new Map([['CH', 810]]))
  const rate = await vatRateOf(db, 'CH', new Date('2026-02-01T00:00:00Z'))
  const tenantId = await makeTenant(app(), 31)
  const swiss = await makeUser(app(), { settings: { country: 'CH' } })
  const german = await makeUser(app(), { tenantId, settings: { country: 'DE' } })
  if (rate === undefined) throw new Error('the rate was just set')
  const taxed = { vatRateId: rate.id }
  await makePayment(app(), swiss.walletId, { amount: 10_810, paidAt: '2026-01-10T00:00:00Z', ...taxed })
  await makePayment(app(), swiss.walletId, { amount: 1081, paidAt: '2026-02-10T00:00:00Z', ...taxed })
  await makePayment(app(), german.walletId, { amount: 500, paidAt: '2026-02-11T00:00:00Z' })
  await makePayment(app(), german.walletId, { amount: 900, paidAt: '2026-03-09T00:00:00Z' })
  await issueReceipts({ db, clock: app().clock, company })
})

describe('the VAT report', () => {
  test("sums up a period's receipts by country, rate and currency", async () => {
    expect(await run('vat:report', '2026-Q1')).toEqual([
      'CH  8.1%  2 payments  net 11000  VAT 891  gross 11891 CHF',
      'DE  no VAT  1 payments  net 500  VAT 0  gross 500 CHF',
      '1 payments have no receipt yet and are not included.',
    ])
    expect(await run('vat:report', '2026-01')).toEqual([
      'CH  8.1%  1 payments  net 10000  VAT 810  gross 10810 CHF',
    ])
    expect(await run('vat:report', '2026-02', '--tenant=31')).toEqual([
      'DE  no VAT  1 payments  net 500  VAT 0  gross 500 CHF',
    ])
    expect(await run('vat:report', '2025')).toEqual([])
  })

  test('can be downloaded as a file, in the cockpit too', async () => {
    const csv = [
      '"Country","VAT rate (%)","Payments","Net","VAT","Gross","Currency"',
      '"CH",8.10,1,100.00,8.10,108.10,"CHF"',
    ]
    expect(await run('vat:report', '2026-01', '--csv')).toEqual(csv)
    const admin = await makeStaff(app(), 'admin')
    const { body } = await admin.call('GET /api/v4/vat-reports/2026')
    expect(body).toMatchObject({
      period: '2026',
      unreceipted: 1,
      lines: [
        { country: 'CH', rate: 810, payments: 2, net: 11_000, vat: 891, gross: 11_891 },
        { country: 'DE', rate: null, payments: 1, net: 500, vat: 0, gross: 500 },
      ],
    })
    expect((await admin.call('GET /api/v4/vat-reports/2026-13')).status).toBe(404)
  })

  test.each([
    ['2026', { first: '2026-01', last: '2026-12' }],
    ['2026-Q4', { first: '2026-10', last: '2026-12' }],
    ['2026-03', { first: '2026-03', last: '2026-03' }],
    ['2026-00', undefined],
    ['2026-Q5', undefined],
    ['now', undefined],
  ])('knows the period %s', (text, period) => {
    expect(parseReportPeriod(text)).toEqual(period)
  })
})
