import { type MethodKind, paymentMethods } from '@gatehouse/contract/billing/payments'
import { expect, test } from 'vitest'
import { mollieWorld, stripeWorld } from '../../../testing/payments/provider-worlds.ts'
import { useTestApp } from '../../../testing/test-app.ts'
import { setRates } from '../../exchange/exchange-store.ts'
import { PaymentMethods } from '../methods.ts'
import type { PaymentProvider } from './provider.ts'
import { providerMethods } from './provider-methods.ts'

const app = useTestApp()

/** Methods offered to a customer if the operator wants all, and all are enabled at the provider. */
async function offered(provider: PaymentProvider, kind: MethodKind): Promise<string[]> {
  const { clock, database } = app()
  const all = [...paymentMethods]
  const config = { PAYMENT_METHODS_ONEOFF: all, PAYMENT_METHODS_RECURRING: all, EXCHANGE_RATE_DAYS: 7 }
  await setRates(database.db, { base: 'CHF', day: '2026-03-10', rates: new Map([['EUR', '1.06']]) })
  const found = await new PaymentMethods({ config, db: database.db, clock }).onOffer(provider, kind, 'CHF')
  for (const { id } of found) expect(providerMethods[provider.name][kind]).toContain(id)
  return found.map(({ id }) => id)
}

test.each<[PaymentProvider['name'], MethodKind, string[]]>([
  ['stripe', 'oneoff', ['creditcard', 'paypal', 'banktransfer', 'directdebit']],
  ['stripe', 'recurring', ['creditcard', 'directdebit']],
  ['mollie', 'oneoff', ['creditcard', 'paypal', 'banktransfer']],
  ['mollie', 'recurring', ['creditcard', 'paypal']],
  ['sandbox', 'oneoff', ['creditcard', 'paypal', 'banktransfer', 'bitcoin']],
  ['sandbox', 'recurring', ['creditcard', 'paypal']],
])('%s offers as %s exactly %j', async (name, kind, expected) => {
  if (name === 'sandbox') {
    const { sandbox } = app().payments
    expect(sandbox && (await offered(sandbox, kind))).toEqual(expected)
    return
  }
  await using world = await (name === 'stripe' ? stripeWorld : mollieWorld)(app().clock)
  expect(await offered(world.provider, kind)).toEqual(expected)
})
