import { beforeAll, describe, expect, test } from 'vitest'
import { makePayer, type Payer, sandboxOf } from '../../../testing/payments/sandbox.ts'
import { useTestApp } from '../../../testing/test-app.ts'
import { keepCustomer } from '../payment-store.ts'
import type { PaymentProvider } from './provider.ts'
import { PaymentProviders, PaymentsNotOffered } from './providers.ts'

const app = useTestApp()
let payer: Payer

beforeAll(async () => {
  payer = await makePayer(app())
})

/** The same sandbox under other names: the tests only check which one is selected. */
function named(name: PaymentProvider['name']): PaymentProvider {
  return new Proxy<PaymentProvider>(sandboxOf(app()), {
    get: (target, key) => (key === 'name' ? name : Reflect.get(target, key)),
  })
}

const of = async (
  names: readonly PaymentProvider['name'][],
  preferred: string | undefined,
  walletId: string,
) => (await new PaymentProviders(names.map(named), preferred).of(app().database.db, walletId))?.name

describe('the provider of a wallet', () => {
  test('is the configured one, if available', async () => {
    const { walletId } = payer
    expect(await of(['stripe', 'mollie'], 'mollie', walletId)).toBe('mollie')
    expect(await of(['stripe'], 'mollie', walletId)).toBeUndefined()
    expect(await of(['stripe'], undefined, walletId)).toBeUndefined()
    await expect(new PaymentProviders([], 'stripe').require(app().database.db, walletId)).rejects.toThrow(
      PaymentsNotOffered,
    )
  })

  test('stays the one where the wallet is a customer, as long as that is available', async () => {
    const { walletId } = payer
    const keep = (provider: string, id: string) =>
      keepCustomer(app().database.db, { walletId, provider, id, at: app().clock.now() })
    await keep('stripe', 'cus_1')
    await keep('stripe', 'cus_2')
    expect(await of(['stripe', 'mollie'], 'mollie', walletId)).toBe('stripe')
    expect(await of(['mollie'], 'mollie', walletId)).toBe('mollie')
    const rows = await app().database.db.selectFrom('paymentCustomers').select('id').execute()
    expect(rows).toEqual([{ id: 'cus_1' }])
  })
})
