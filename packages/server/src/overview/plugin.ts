import { WalletOverviews } from '../billing/wallet/wallet-facts.ts'
import type { Ground } from '../platform/ground.ts'
import type { Identity } from '../sessions/plugin.ts'
import type { AccountOverviewParts } from './account-overview.ts'
import { serveOverviews } from './routes.ts'
import type { staffOverview } from './staff-overview.ts'

type Config = AccountOverviewParts['config'] & Parameters<typeof staffOverview>[0]['config']

/** Adds the dashboards, based on facts from the other rooms. */
export function addOverview(
  ground: Ground<Config>,
  identity: Identity,
  below: Pick<AccountOverviewParts, 'domainKeys'>,
): void {
  const wallets = new WalletOverviews(ground.db, ground.clock)
  serveOverviews(ground.api, { ...ground, ...identity, ...below, wallets })
}
