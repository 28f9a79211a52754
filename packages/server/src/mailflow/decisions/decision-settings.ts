import { z } from 'zod'
import { count, flag } from '../../platform/settings/setting-kinds.ts'

/** Settings of the log of mail decisions. */
export const decisionSettings = {
  MAILFLOW_LOG_DAYS: count(90, 1, 3650).describe('Days for which decisions about mail are kept'),
  MAILFLOW_HASH_STRANGERS: flag(false).describe(
    'Replace the local parts of other organizations’ addresses by hashes in the log of mail decisions',
  ),
}

const parsedSettings = z.object(decisionSettings)

export type DecisionSettings = z.infer<typeof parsedSettings>
