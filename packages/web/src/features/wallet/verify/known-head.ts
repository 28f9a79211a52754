import type { ChainHead } from './chain.ts'

const prefix = 'chain:'

/** Where the last verification in this browser ended; only what was verified is remembered. */
export function knownHead(wallet: string): ChainHead | undefined {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(prefix + wallet) ?? 'null')
    return isHead(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Remembers the end of a chain, so that the next verification sees whether what was there is there still. */
export function rememberHead(wallet: string, { number, hash }: ChainHead): void {
  try {
    localStorage.setItem(prefix + wallet, JSON.stringify({ number, hash }))
  } catch {
    // a browser that keeps nothing verifies all the same
  }
}

function isHead(value: unknown): value is ChainHead {
  if (typeof value !== 'object' || value === null) return false
  return (
    'number' in value &&
    Number.isSafeInteger(value.number) &&
    'hash' in value &&
    typeof value.hash === 'string'
  )
}
