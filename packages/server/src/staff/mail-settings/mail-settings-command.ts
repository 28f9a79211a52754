import { atCommandLine, UsageError } from '../../platform/cli/command.ts'
import { said } from '../../platform/cli/said.ts'
import { ValidationError } from '../../platform/http/errors.ts'
import { findView } from '../../users/commands/find-user.ts'
import { type StaffCommand, staffParts } from '../commands/staff-command.ts'
import { byOf } from '../staff-parts.ts'
import { changeMailSettings, checkMailSettings } from './mail-settings.ts'

/** Names at the command line; those of the account have no default. */
const names: Readonly<Record<string, { readonly key: string; readonly hasDefault: boolean }>> = {
  greylist: { key: 'greylist_enabled', hasDefault: true },
  invitations: { key: 'itip_config', hasDefault: true },
  'external-sender': { key: 'externalsender_config', hasDefault: true },
  'imap-proxy': { key: 'guam_enabled', hasDefault: false },
  'account-greylist': { key: 'greylist_policy', hasDefault: false },
  'account-invitations': { key: 'itip_policy', hasDefault: false },
  'account-external-sender': { key: 'externalsender_policy', hasDefault: false },
}

const values: Readonly<Record<string, boolean | null>> = { on: true, off: false, default: null }

const usage = 'user:mail-settings <address> <name=on|off|default,…> [reason]'

/** Changes mail settings of a user, as the cockpit does. */
export const mailSettingsCommand: StaffCommand = {
  name: 'user:mail-settings',
  usage,
  summary: `change mail settings of a user; the names are ${Object.keys(names).join(', ')}, and those of the account need its owner’s address`,
  needs: 2,
  async run(context) {
    const [address, text = '', reason] = context.args
    const view = await findView(context, address)
    const entries = parse(text)
    const checked = checkMailSettings(entries, view)
    if ('errors' in checked) return said(new ValidationError(checked.errors))
    const by = byOf(atCommandLine.actor, reason)
    await changeMailSettings(staffParts(context), view, checked.value, by)
    context.print(`${view.user.email}: ${text.split(',').join(' ')}`)
  },
}

function parse(text: string): Record<string, boolean | null> {
  return Object.fromEntries(
    text.split(',').map((part) => {
      const [name = '', value = ''] = part.split('=')
      const setting = names[name]
      const chosen = values[value]
      if (setting === undefined || chosen === undefined || (chosen === null && !setting.hasDefault)) {
        throw new UsageError(usage)
      }
      return [setting.key, chosen]
    }),
  )
}
