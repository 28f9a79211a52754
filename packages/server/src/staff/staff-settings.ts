import { z } from 'zod'
import { count } from '../platform/settings/setting-kinds.ts'

/** Settings of the cockpits. */
export const staffSettings = {
  ONE_OFF_LIMIT: count(100_000, 0, 1_000_000_000).describe(
    'Cents that one member of staff may award or charge per day across all wallets. Larger amounts need a second person. 0: no limit',
  ),
}

const parsedSettings = z.object(staffSettings)

export type StaffSettings = z.infer<typeof parsedSettings>
