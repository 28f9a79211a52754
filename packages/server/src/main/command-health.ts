import type { Clock } from '../platform/clock.ts'
import type { Db } from '../platform/db/database.ts'
import { askChecks, type CheckedPart } from '../platform/health/health-check.ts'
import { Locator } from '../platform/location.ts'
import { healthChecks } from './rooms.ts'
import type { Config } from './settings/config.ts'

/** Runs all health checks from the command line, alongside the servers. */
export async function askBesideServers(parts: {
  readonly config: Config
  readonly db: Db
  readonly clock: Clock
}): Promise<CheckedPart[]> {
  const locator = await Locator.open(parts.db, parts.config.GEO_DATABASE)
  // a command is not a worker, so the queue is judged by its backlog
  return askChecks(healthChecks, { ...parts, jobs: { isRunning: true }, locator })
}
