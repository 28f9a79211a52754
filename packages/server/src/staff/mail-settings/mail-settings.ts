import { mailSettingsInput } from '@gatehouse/contract/policies'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Checked } from '../../platform/http/validation.ts'
import type { AccountView } from '../../users/account-view/account-view.ts'
import { writeConfig } from '../../users/settings/change-config.ts'
import { checkConfig, type Entries } from '../../users/settings/config-input.ts'
import type { By } from '../staff-parts.ts'

/** Settings to write, by key; null removes one. */
export type MailSettings = Readonly<Record<string, string | null>>

/** Names of the settings that staff can change. */
export const mailSettingNames: readonly string[] = mailSettingsInput.keyof().options

/** Checks the mail settings among the fields of a call. Policies of the account need its owner. */
export function checkMailSettings(fields: Entries, { user, owner }: AccountView): Checked<MailSettings> {
  const entries = Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => mailSettingNames.includes(name) && value !== undefined),
  )
  return checkConfig(entries, {
    // rules about passwords and sign-in are not part of these settings
    system: new Map(),
    isFactorRequired: false,
    ownCountry: undefined,
    isOwner: owner?.id === user.id,
  })
}

/** Changes mail settings of a user; recorded with the comment, visible to the account's owner. */
export async function changeMailSettings(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  view: AccountView,
  settings: MailSettings,
  by: By,
): Promise<void> {
  await db.transaction().execute((trx) => writeConfig(trx, { clock }, view, by, settings))
}
