import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash, randomBytes, randomInt } from 'node:crypto'
import { parse, stringify, v7 } from 'uuid'

/** A new UUIDv7: random, and sorted by the time of its making. */
export function newUuid(): string {
  return v7()
}

const seeds = new AsyncLocalStorage<string>()

/** Does the work of a request that must happen once: each run of it has the same seed, a UUIDv7. */
export function withSeed<T>(seed: string, work: () => T): T {
  return seeds.run(seed, work)
}

/**
 * A UUIDv7 for what a request makes once: every run of a request with an `Idempotency-Key` comes to the same one. Elsewhere a
 * new one.
 */
export function onceUuid(purpose: string): string {
  const seed = seeds.getStore()
  if (seed === undefined) return newUuid()
  const bytes = parse(seed)
  const hash = createHash('sha256').update(`${seed} ${purpose}`).digest()
  // the time of the seed, so that ids are still sorted by it; version and variant of RFC 9562
  for (let at = 6; at < 16; at++) bytes[at] = hash[at] ?? 0
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f)
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f)
  return stringify(bytes)
}

/** A new number for a user, domain, list, resource or folder: random, unsigned, 32 bits, never 0. */
export function newObjectId(): number {
  return randomInt(1, 4_294_967_296)
}

/** Reads the number of an object from a path; anything else is undefined ("not found"). */
export function parseObjectId(text: string): number | undefined {
  if (!/^[1-9]\d{0,9}$/.test(text)) return undefined
  const id = Number(text)
  return id <= 4_294_967_295 ? id : undefined
}

export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)
}

/** Random text of `bytes` bytes in base64url. */
export function randomToken(bytes = 32): string {
  return randomBytes(bytes).toString('base64url')
}
