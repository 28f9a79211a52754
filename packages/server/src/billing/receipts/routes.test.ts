import { beforeEach, describe, expect, test } from 'vitest'
import { newUuid } from '../../platform/ids.ts'
import { makeAccount, type TestAccount } from '../../testing/account-fixture.ts'
import { makeTenant, makeUser, signInAs } from '../../testing/factories.ts'
import { makePayment } from '../../testing/payments/payments.ts'
import { useTestApp } from '../../testing/test-app.ts'
import { issueReceiptsJob } from './issue-receipts.ts'

const app = useTestApp({ APP_NAME: 'Gaté' })
let account: TestAccount
let path = ''

beforeEach(async () => {
  account = await makeAccount(app())
  path = `/api/v4/wallets/${account.owner.walletId}/receipts`
})

const pay = (amount: number, paidAt: string) => makePayment(app(), account.owner.walletId, { amount, paidAt })

describe('the receipts of a wallet', () => {
  test('exist as soon as they are read, newest month first, except for the current month', async () => {
    await pay(1000, '2026-01-05T10:00:00Z')
    await pay(500, '2026-02-05T10:00:00Z')
    await pay(70, '2026-03-05T10:00:00Z')
    const { status, body } = await account.as('owner', `GET ${path}`)
    expect(status).toBe(200)
    expect(body).toEqual({
      status: 'success',
      page: 1,
      count: 2,
      hasMore: false,
      list: [
        {
          period: '2026-02',
          amount: 500,
          currency: 'CHF',
          documents: [{ number: expect.stringMatching(/^R2026-\d{6}$/), kind: 'receipt', amount: 500 }],
        },
        expect.objectContaining({ period: '2026-01', amount: 1000 }),
      ],
    })
    expect((await account.as('controller', `GET ${path}`)).body).toEqual(body)
  })

  test('come in pages of ten', async () => {
    for (let month = 1; month <= 11; month++) {
      await pay(100, `2025-${String(month).padStart(2, '0')}-10T00:00:00Z`)
    }
    const first = (await account.as('owner', `GET ${path}`)).body
    expect([first.count, first.hasMore, first.list[0].period]).toEqual([10, true, '2025-11'])
    const second = (await account.as('owner', `GET ${path}?page=2`)).body
    expect([second.count, second.hasMore, second.page, second.list[0].period]).toEqual([
      1,
      false,
      2,
      '2025-01',
    ])
    expect((await account.as('owner', `GET ${path}?page=0`)).status).toBe(422)
  })

  test('are also issued by the scheduled job', async () => {
    await pay(1000, '2026-02-05T10:00:00Z')
    await app().jobs.enqueue(app().database.db, issueReceiptsJob, {})
    await app().jobs.drain()
    const { rows } = await app().database.pool.query('select number from receipts where wallet_id = $1', [
      account.owner.walletId,
    ])
    expect(rows).toHaveLength(1)
  })
})

describe('the documents of a month', () => {
  test.each([
    ['en', 'Gaté Receipt for 2026-02.pdf'],
    ['de', 'Gaté Beleg für 2026-02.pdf'],
  ])('are a PDF with a name in the language of the request: %s', async (language, name) => {
    await pay(1000, '2026-02-05T10:00:00Z')
    const { access_token: token } = await signInAs(app(), account.owner)
    const { status, body, headers } = await app().call(`GET ${path}/2026-02`, {
      token,
      headers: { 'accept-language': language, 'x-language': language },
    })
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('application/pdf')
    expect(headers['content-disposition']).toBe(
      `attachment; filename="receipt-2026-02.pdf"; filename*=UTF-8''${encodeURIComponent(name)}`,
    )
    expect(String(body).slice(0, 5)).toBe('%PDF-')
  })

  test.each([
    '2026-13',
    '2026-1',
    '2026-00',
    '0000-01',
    '2026-03',
    '2026-04',
    '2099-12',
    '2026-01',
    'x',
    '2026-02-01',
    "2026-02'--",
    '%00',
    '..%2f2026-02',
    '2026-02%0d%0aset-cookie:%20a=b',
  ])('are not there for %s', async (period) => {
    await pay(1000, '2026-02-05T10:00:00Z')
    await pay(1000, '2026-03-05T10:00:00Z')
    expect((await account.as('owner', `GET ${path}/${period}`)).status).toBe(404)
  })

  test('require permission to read the wallet', async () => {
    await pay(1000, '2026-02-05T10:00:00Z')
    const tenantId = await makeTenant(app(), 77)
    const foreign = await signInAs(app(), await makeUser(app(), { tenantId }))
    const stranger = await signInAs(app(), await makeUser(app()))
    const read = async (one: string, token?: string) =>
      (await app().call(`GET ${one}`, token === undefined ? {} : { token })).status
    for (const one of [path, `${path}/2026-02`]) {
      expect(await read(one), one).toBe(401)
      expect(await read(one, stranger.access_token), one).toBe(403)
      expect(await read(one, foreign.access_token), one).toBe(404)
      expect((await account.as('member', `GET ${one}`)).status, one).toBe(403)
      expect((await account.as('controller', `GET ${one}`)).status, one).toBe(200)
      for (const id of ['x', newUuid(), '%00']) {
        const other = one.replace(account.owner.walletId, id)
        expect((await account.as('owner', `GET ${other}`)).status, other).toBe(404)
      }
    }
  })
})
