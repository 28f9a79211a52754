import type { ChainHead } from './chain.ts'

const prefix = 'chain:'

/** Head of the last verification in this browser; only verified heads are stored. */
export function knownHead(wallet: string): ChainHead | undefined {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(prefix + wallet) ?? 'null')
    return isHead(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Stores the head of a chain, so that the next verification can detect changes to its entries. */
export function rememberHead(wallet: string, { number, hash }: ChainHead): void {
  try {
    localStorage.setItem(prefix + wallet, JSON.stringify({ number, hash }))
  } catch {
    // verification works even if the browser stores nothing
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
