import type { HealthPart } from '@gatehouse/contract/staff/operations'
import type { Clock } from '../clock.ts'
import type { Db } from '../db/database.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { Locator } from '../location.ts'

/** Dependencies of checks. `Config` is the part of the settings that a check reads. */
export interface HealthParts<Config> {
  readonly config: Config
  readonly db: Db
  readonly clock: Clock
  readonly jobs: Pick<Jobs, 'isRunning'>
  readonly locator: Pick<Locator, 'builtAt' | 'source'>
}

/** Health of a part of the installation, with the underlying numbers. */
export type HealthAnswer = Pick<HealthPart, 'state' | 'facts'>

/**
 * Determines the health of a part of the installation, from stored data if that says enough: checks run whenever
 * somebody opens the page.
 */
export interface HealthCheck<Config = unknown> {
  readonly name: HealthPart['name']
  readonly ask: (parts: HealthParts<Config>) => Promise<HealthAnswer>
}

/** The result of a check. */
export type CheckedPart = Pick<HealthPart, 'name'> & HealthAnswer

/** Runs checks one after another, to use only one connection. */
export async function askChecks<Config>(
  checks: readonly HealthCheck<Config>[],
  parts: HealthParts<Config>,
): Promise<CheckedPart[]> {
  const answers: CheckedPart[] = []
  for (const { name, ask } of checks) answers.push({ name, ...(await ask(parts)) })
  return answers
}
