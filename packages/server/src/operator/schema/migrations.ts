import type { MigrationStep } from '../../platform/db/migrate.ts'
import membersMaySend from './migrations/0103-members-may-send.sql?raw'

/**
 * What has changed in the schema since the baseline, in order: a file of `migrations/` each, as SQL (imported with `?raw`)
 * or as a function. CONTRIBUTING.md says how to add one.
 */
export const migrations: Readonly<Record<string, MigrationStep>> = {
  '0103-members-may-send': membersMaySend,
}
