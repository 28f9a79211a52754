import { z } from 'zod'
import { flag } from '../platform/settings/setting-kinds.ts'

/** Settings of the import of old mail. */
export const importSettings = {
  MAIL_IMPORT_PRIVATE: flag(false).describe(
    'Allow imports from mail servers on this machine and in private networks, on any port. Users can then reach those servers',
  ),
  MAIL_IMPORT_CA_FILE: z
    .string()
    .startsWith('/', 'must be an absolute path')
    .optional()
    .describe(
      'PEM file with certificates of authorities that old mail servers may use in addition to the usual ones',
    ),
}

const parsedSettings = z.object(importSettings)

export type ImportSettings = z.infer<typeof parsedSettings>
