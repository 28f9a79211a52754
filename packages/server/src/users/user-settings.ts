import { z } from 'zod'
import { flag } from '../platform/settings/setting-kinds.ts'

/** Settings of accounts. */
export const userSettings = {
  STAFF_ACCESS: flag(true).describe(
    'Allow staff to sign in as customers and change what protects their sign-in, unless the account forbids it',
  ),
}

const parsedSettings = z.object(userSettings)

export type UserSettings = z.infer<typeof parsedSettings>
