import { z } from 'zod'
import { count, hostName } from '../../platform/settings/setting-kinds.ts'

/** Settings of the mail filter. */
export const filterSettings = {
  MAILFLOW_FILTER_MIB: count(10, 1, 100).describe(
    'Size of the largest message that the mail filter reads, in MiB. Larger ones are delivered unchanged',
  ),
  MAILFLOW_TIME_ZONE: z
    .string()
    .refine((name) => isTimeZone(name), {
      error: 'must be a time zone, such as Europe/Zurich',
    })
    .default('UTC')
    .describe(
      'Time zone of your resources, such as `Europe/Zurich`. It applies to whole days, and to bookings whose times have no time zone',
    ),
  MAILFLOW_AUTHSERV_ID: hostName
    .optional()
    .describe(
      'Host name that your mail server writes into `Authentication-Results`. The mail server must remove such fields from incoming mail. If not set: these fields are neither believed nor added',
    ),
}

const parsedSettings = z.object(filterSettings)

export type FilterSettings = z.infer<typeof parsedSettings>

/** Whether it is the IANA name of a time zone. */
function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name })
    return true
  } catch {
    return false
  }
}
