import type { Ground } from '../platform/ground.ts'
import type { SiteConfig } from '../platform/settings/site-settings.ts'
import { measureBuild } from './operations/measure-build.ts'
import { serveOperations } from './operations/routes.ts'

/** Adds the operators' view of the installation. */
export function addOperator(ground: Ground<SiteConfig>): void {
  serveOperations(ground.api, ground)
  measureBuild(ground.metrics)
}
