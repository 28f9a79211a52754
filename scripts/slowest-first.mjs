import { statSync } from 'node:fs'
import { BaseSequencer } from 'vitest/node'

/** Files that take most of a minute or more on an idle machine, although some of them are short. */
const slow = [
  'platform/http/fuzz',
  'idempotency/idempotency-crash',
  'users/access-table',
  'embedded/embedded-postgres',
  'embedded/crash',
  'embedded/root',
  'billing/simulation/simulation',
  'main/start',
  'prices/quotes',
  'users/borrowed-access',
  'bulk/batch',
  'staff/hostile-input',
  'backup/restore-drill',
  'backup/backup-attacks',
]

/**
 * Runs the slowest files of a project first, because a slow one that starts last leaves the other cores idle. A
 * clean clone has no measured times, so apart from the slowest, larger files count as slower.
 */
export class SlowestFirst extends BaseSequencer {
  /** @param {import('vitest/node').TestSpecification[]} files */
  async sort(files) {
    const sorted = await super.sort(files)
    // Groups and projects stay in order.
    const projects = [...new Set(sorted.map(({ project }) => project))]
    return projects.flatMap((project) =>
      sorted.filter((file) => file.project === project).sort((one, other) => weightOf(other) - weightOf(one)),
    )
  }
}

/** @param {import('vitest/node').TestSpecification} file */
function weightOf({ moduleId }) {
  const rank = slow.findIndex((name) => moduleId.endsWith(`${name}.test.ts`))
  return rank < 0 ? statSync(moduleId).size : Number.MAX_SAFE_INTEGER - rank
}
