import type { Ground } from '../platform/ground.ts'
import { serveOperations } from './operations/routes.ts'
import type { Config } from './settings/config.ts'

/** What operators see of the installation. */
export function addOperator(ground: Ground<Config>): void {
  serveOperations(ground.api, ground)
}
