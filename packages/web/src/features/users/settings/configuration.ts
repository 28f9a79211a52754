import type { UserConfig } from '@gatehouse/contract/directory/users'
import type { EffectiveSettings, SettingSource, UserConfigInput } from '@gatehouse/contract/policies'

/** A switch of a user that follows the account unless it says otherwise. */
export type Choice = 'default' | 'on' | 'off'

/** The switches for mail delivery, each with the policy of the account and its name among what is in effect. */
export const mailSwitches = [
  { key: 'greylist_enabled', policy: 'greylist_policy', effect: 'greylist' },
  { key: 'itip_config', policy: 'itip_policy', effect: 'itip' },
  { key: 'externalsender_config', policy: 'externalsender_policy', effect: 'externalsender' },
] as const

export type MailSwitch = (typeof mailSwitches)[number]

export type MailChoices = Record<MailSwitch['key'], Choice>

/** The form's values for a configuration. */
export function mailChoices(config: UserConfig): MailChoices {
  return {
    greylist_enabled: choiceOf(config.greylist_enabled),
    itip_config: choiceOf(config.itip_config),
    externalsender_config: choiceOf(config.externalsender_config),
  }
}

/** The configuration for the form's values; only switches that were shown are sent. */
export function mailInput(choices: MailChoices, shown: readonly MailSwitch[]): UserConfigInput {
  return Object.fromEntries(shown.map(({ key }) => [key, settingOf(choices[key])]))
}

/** What holds for somebody without a setting of their own. */
export function defaultOf(
  { policy, effect }: MailSwitch,
  config: UserConfig,
  effective: EffectiveSettings | undefined,
): { value: boolean; source?: SettingSource } {
  const now = effective?.[effect]
  return now && now.source !== 'user' ? now : { value: config[policy] }
}

function choiceOf(setting: boolean | null): Choice {
  if (setting === null) return 'default'
  return setting ? 'on' : 'off'
}

function settingOf(choice: Choice): boolean | null {
  return choice === 'default' ? null : choice === 'on'
}
