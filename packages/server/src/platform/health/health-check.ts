import type { HealthPart } from '@gatehouse/contract/staff/operations'
import type { Clock } from '../clock.ts'
import type { Db } from '../db/database.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { Locator } from '../location.ts'

/** What checks look at. `Config` is the part of the settings that a check reads. */
export interface HealthParts<Config> {
  readonly config: Config
  readonly db: Db
  readonly clock: Clock
  readonly jobs: Pick<Jobs, 'isRunning'>
  readonly locator: Pick<Locator, 'builtAt' | 'source'>
}

/** How a part of the installation does, with the numbers behind it. */
export type HealthAnswer = Pick<HealthPart, 'state' | 'facts'>

/** Says how one part of the installation does, from what is written down; it asks nobody outside. */
export interface HealthCheck<Config = unknown> {
  readonly name: HealthPart['name']
  readonly ask: (parts: HealthParts<Config>) => Promise<HealthAnswer>
}

/** The answer of a check. */
export type CheckedPart = Pick<HealthPart, 'name'> & HealthAnswer

/** Asks one check after the other, so that nobody else waits for a connection. */
export async function askChecks<Config>(
  checks: readonly HealthCheck<Config>[],
  parts: HealthParts<Config>,
): Promise<CheckedPart[]> {
  const answers: CheckedPart[] = []
  for (const { name, ask } of checks) answers.push({ name, ...(await ask(parts)) })
  return answers
}
