import { z } from 'zod'
import { count } from '../../platform/settings/setting-kinds.ts'

/** Settings of the DKIM keys of domains. */
export const dkimSettings = {
  MAIL_DKIM_KEY_DAYS: count(365, 30, 3650).describe(
    'Days for which a DKIM key of a domain signs before the next one is created. Only used without `MAIL_DKIM`',
  ),
}

const parsedSettings = z.object(dkimSettings)

export type DkimSettings = z.infer<typeof parsedSettings>
