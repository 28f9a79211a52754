import type { DkimAlgorithm } from './key-pair.ts'

const letters = { rsa: 'r', ed25519: 'e' } as const

/** A selector with the day of its key, such as `d20261126r`, which no other key of the domain has or had. */
export function newSelector(now: Date, algorithm: DkimAlgorithm, used: ReadonlySet<string>): string {
  const base = `d${now.toISOString().slice(0, 10).replaceAll('-', '')}${letters[algorithm]}`
  let selector = base
  for (let count = 2; used.has(selector); count++) selector = `${base}${count}`
  return selector
}
