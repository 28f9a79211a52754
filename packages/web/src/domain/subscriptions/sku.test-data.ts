import type { Sku } from '@gatehouse/contract/billing/subscriptions'

/** Returns a SKU for tests; its id is its handler in lower case. */
export function testSku(handler: string, change: Partial<Sku> = {}): Sku {
  return {
    id: handler.toLowerCase(),
    title: handler.toLowerCase(),
    name: handler,
    description: '',
    cost: 0,
    units_free: 0,
    period: 'monthly',
    active: 1,
    type: 'user',
    handler,
    readonly: false,
    enabled: false,
    prio: 0,
    ...change,
  }
}

/** What a user may have. */
export const userSkus: Sku[] = [
  testSku('Beta', { prio: 10 }),
  testSku('Mailbox', { prio: 100, cost: 500, readonly: true }),
  testSku('Storage', {
    prio: 90,
    cost: 25,
    units_free: 5,
    readonly: true,
    range: { min: 5, max: 100, unit: 'GB' },
  }),
  testSku('Groupware', { prio: 80, cost: 490 }),
  testSku('Activesync', { prio: 70, required: ['Groupware'] }),
  testSku('Auth2F', { prio: 60, forbidden: ['Activesync'] }),
]
