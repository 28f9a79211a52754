import { describe, expect, test } from 'vitest'
import { makePayer, sandboxOf } from '../../testing/payments/sandbox.ts'
import { useTestApp } from '../../testing/test-app.ts'
import { ProviderUnavailable } from '../payments/providers/provider-errors.ts'
import { newAccountMandates } from './set-up.ts'

const app = useTestApp()
const route = '/api/v4/payments/mandate'

const setups = (walletId: string) =>
  app()
    .database.db.selectFrom('payments')
    .select(['id', 'status', 'amount', 'providerId'])
    .where('walletId', '=', walletId)
    .where('type', '=', 'mandate')
    .orderBy('createdAt')
    .execute()

describe('the auto-payment of a new account', () => {
  test('is stored with the account and started afterwards', async () => {
    const payer = await makePayer(app())
    const { walletId } = payer
    const mandates = newAccountMandates(app().autoPayment)
    await app()
      .database.db.transaction()
      .execute((trx) => mandates.prepareMandate(trx, { walletId, amount: 990, balance: 0 }))
    expect((await payer.call('GET /api/v4/payments/status')).body).toMatchObject({
      type: 'mandate',
      status: 'open',
    })
    const handOff = await mandates.beginMandate(walletId, { language: 'de' })
    expect(handOff).toMatchObject({ status: 'success', redirectUrl: expect.stringContaining('/sandbox/') })
    const [setup] = await setups(walletId)
    expect(setup).toMatchObject({ id: handOff.id, amount: 0 })
    await sandboxOf(app()).decide(setup?.providerId ?? '', 'paid')
    await app().jobs.drain()
    expect((await payer.call(`GET ${route}`)).body).toMatchObject({ isValid: true, amount: 9.9, balance: 0 })
  })

  test('can be continued by the owner after a provider outage, as the same payment', async () => {
    const payer = await makePayer(app())
    const { walletId } = payer
    const mandates = newAccountMandates(app().autoPayment)
    await app()
      .database.db.transaction()
      .execute((trx) => mandates.prepareMandate(trx, { walletId, amount: 990, balance: 0 }))
    sandboxOf(app()).trouble = {
      before: (call) => {
        if (call === 'startMandate') throw new ProviderUnavailable('sandbox', 'no answer')
      },
    }
    await expect(mandates.beginMandate(walletId, { language: 'en' })).rejects.toThrow(ProviderUnavailable)
    sandboxOf(app()).trouble = {}
    const { status, body } = await payer.call(`POST ${route}/reset`, {})
    expect(status).toBe(200)
    expect((await setups(walletId)).map(({ id }) => id)).toEqual([body.id])
  })
})
