/** The colour schemes that users can choose instead of the system's. */
export type ChosenScheme = 'light' | 'dark'

/**
 * Name and lifetime (ten years in seconds) of the cookie with the chosen scheme; without it the system's
 * applies.
 */
export const schemeCookie = { name: 'color-scheme', maxAge: 315_360_000 } as const

export function isChosenScheme(value: unknown): value is ChosenScheme {
  return value === 'light' || value === 'dark'
}
