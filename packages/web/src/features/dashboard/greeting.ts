import type { MessageKey } from '../../i18n/areas.ts'
import type { UserInfo } from '../../platform/session/auth.ts'

/** Returns the greeting for an hour of the day. */
export function greetingAt(hour: number): MessageKey {
  if (hour >= 5 && hour < 12) return 'dashboard.morning'
  return hour >= 12 && hour < 18 ? 'dashboard.afternoon' : 'dashboard.evening'
}

/** First and last name, if known. */
export function fullName({ settings }: UserInfo): string {
  return [settings.first_name, settings.last_name].filter(Boolean).join(' ')
}
