import type { MessageKey } from '../../i18n/areas.ts'

/** Lives of an app password that can be chosen, in days; 0: it does not expire. */
export const expiries = [0, 30, 90, 365] as const

export const expiryLabels: Readonly<Record<(typeof expiries)[number], MessageKey>> = {
  0: 'words.never',
  30: 'apppasswords.days30',
  90: 'apppasswords.days90',
  365: 'apppasswords.days365',
}

/** The moment so many days from now as the server reads it; null: never. */
export function expiryOf(days: number, now = new Date()): string | null {
  if (!Number.isFinite(days) || days <= 0) return null
  const moment = new Date(now.getTime() + days * 86_400_000)
  return moment.toISOString().slice(0, 19).replace('T', ' ')
}
