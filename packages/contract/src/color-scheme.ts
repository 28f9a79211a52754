/** The colour schemes that somebody may choose instead of the system's. */
export type ChosenScheme = 'light' | 'dark'

/** Name and lifetime (seconds, ten years) of the cookie that keeps the chosen scheme; absent: as the system. */
export const schemeCookie = { name: 'color-scheme', maxAge: 315_360_000 } as const

export function isChosenScheme(value: unknown): value is ChosenScheme {
  return value === 'light' || value === 'dark'
}
