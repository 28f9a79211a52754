import type { UserConfig } from '@gatehouse/contract/directory/users'
import type { EffectiveSettings, SettingSource, UserConfigInput } from '@gatehouse/contract/policies'

/** A user's option, which inherits from the account by default. */
export type Choice = 'default' | 'on' | 'off'

/** Mail delivery options, each with the account's policy and its name among the effective settings. */
export const mailSwitches = [
  { key: 'greylist_enabled', policy: 'greylist_policy', effect: 'greylist' },
  { key: 'itip_config', policy: 'itip_policy', effect: 'itip' },
  { key: 'externalsender_config', policy: 'externalsender_policy', effect: 'externalsender' },
] as const

export type MailSwitch = (typeof mailSwitches)[number]

export type MailChoices = Record<MailSwitch['key'], Choice>

/** Converts a configuration to form values. */
export function mailChoices(config: UserConfig): MailChoices {
  return {
    greylist_enabled: choiceOf(config.greylist_enabled),
    itip_config: choiceOf(config.itip_config),
    externalsender_config: choiceOf(config.externalsender_config),
  }
}

/** Converts form values to a configuration; only includes options that were shown. */
export function mailInput(choices: MailChoices, shown: readonly MailSwitch[]): UserConfigInput {
  return Object.fromEntries(shown.map(({ key }) => [key, settingOf(choices[key])]))
}

/** Returns the value for users without their own setting. */
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
