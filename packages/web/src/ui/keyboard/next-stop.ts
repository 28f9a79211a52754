/** The fields read from a keyboard event, native or React's. */
export interface Key {
  key: string
  altKey: boolean
  ctrlKey: boolean
  metaKey: boolean
}

/** Keys with Alt, Ctrl or Command belong to the browser: Alt+Left goes back. */
export function isPlainKey({ altKey, ctrlKey, metaKey }: Key): boolean {
  return !altKey && !ctrlKey && !metaKey
}

const steps = {
  horizontal: { ArrowRight: 1, ArrowLeft: -1 },
  vertical: { ArrowDown: 1, ArrowUp: -1 },
} as const

/**
 * Returns the index of the stop a key leads to in a row of `count` stops, from the one at `at` (-1: none).
 * Arrow keys wrap, Home and End move to the ends. Undefined: another key.
 */
export function nextStop(
  event: Key,
  at: number,
  count: number,
  axis: keyof typeof steps,
): number | undefined {
  if (!isPlainKey(event) || count === 0) return undefined
  if (event.key === 'Home') return 0
  if (event.key === 'End') return count - 1
  const step = Object.entries(steps[axis]).find(([key]) => key === event.key)?.[1]
  if (step === undefined) return undefined
  return at < 0 && step < 0 ? count - 1 : (at + step + count) % count
}
