import type { Ground } from '../platform/ground.ts'
import type { Identity } from '../sessions/plugin.ts'
import { servePriceChanges } from './price-changes/routes.ts'
import { handlePriceChanges } from './price-changes/work.ts'
import { serveSubscriptions } from './routes.ts'

type Parts = Parameters<typeof serveSubscriptions>[1]
type Config = Parts['config'] & Parameters<typeof servePriceChanges>[1]['config']

/** Subscriptions and price changes; `creditAtEnd` is billing's refund. */
export function addSubscriptions(
  ground: Ground<Config>,
  identity: Identity,
  above: Pick<Parts, 'creditAtEnd'>,
): void {
  const { api, jobs } = ground
  handlePriceChanges(jobs, ground)
  serveSubscriptions(api, { ...ground, ...identity, ...above })
  servePriceChanges(api, { ...ground, ...identity })
}
