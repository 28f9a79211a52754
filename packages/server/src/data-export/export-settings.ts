import { z } from 'zod'
import { count } from '../platform/settings/setting-kinds.ts'

/** Settings of data exports. */
export const exportSettings = {
  EXPORT_DAYS: count(7, 1, 90).describe('Days for which the archive of an export can be downloaded'),
  EXPORTS_PER_DAY: count(3, 1, 100).describe(
    'Exports that a person can request in 24 hours, and the same for an account',
  ),
}

const parsedSettings = z.object(exportSettings)

export type ExportSettings = z.infer<typeof parsedSettings>
