import type { Ground } from '../platform/ground.ts'
import type { SiteConfig } from '../platform/settings/site-settings.ts'
import { serveOperations } from './operations/routes.ts'

/** What operators see of the installation. */
export function addOperator(ground: Ground<SiteConfig>): void {
  serveOperations(ground.api, ground)
}
