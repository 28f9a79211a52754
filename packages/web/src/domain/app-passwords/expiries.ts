import type { MessageKey } from '../../i18n/areas.ts'

/** Selectable lifetimes of an app password, in days; 0: it doesn't expire. */
export const expiries = [0, 30, 90, 365] as const

export const expiryLabels: Readonly<Record<(typeof expiries)[number], MessageKey>> = {
  0: 'words.never',
  30: 'apppasswords.days30',
  90: 'apppasswords.days90',
  365: 'apppasswords.days365',
}

/** Returns the moment in that many days in the server's format; null: never. */
export function expiryOf(days: number, now = new Date()): string | null {
  if (!Number.isFinite(days) || days <= 0) return null
  const moment = new Date(now.getTime() + days * 86_400_000)
  return moment.toISOString().slice(0, 19).replace('T', ' ')
}
