import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash, randomBytes, randomInt } from 'node:crypto'
import { parse, stringify, v7 } from 'uuid'

/** Generates a UUIDv7: random and sorted by creation time. */
export function newUuid(): string {
  return v7()
}

const seeds = new AsyncLocalStorage<string>()

/** Runs the work of an idempotent request: each of its runs has the same seed, a UUIDv7. */
export function withSeed<T>(seed: string, work: () => T): T {
  return seeds.run(seed, work)
}

/**
 * Returns a UUIDv7 for something a request creates once: the same in every run of a request with an
 * `Idempotency-Key`. Otherwise a new one.
 */
export function onceUuid(purpose: string): string {
  const seed = seeds.getStore()
  if (seed === undefined) return newUuid()
  const bytes = parse(seed)
  const hash = createHash('sha256').update(`${seed} ${purpose}`).digest()
  // the seed's timestamp, so that ids are still sorted by it; version and variant of RFC 9562
  for (let at = 6; at < 16; at++) bytes[at] = hash[at] ?? 0
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f)
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f)
  return stringify(bytes)
}

/** Generates an id for a user, domain, list, resource or folder: random, unsigned, 32 bits, never 0. */
export function newObjectId(): number {
  return randomInt(1, 4_294_967_296)
}

/** Parses an object's id in a path; undefined for anything else ("not found"). */
export function parseObjectId(text: string): number | undefined {
  if (!/^[1-9]\d{0,9}$/.test(text)) return undefined
  const id = Number(text)
  return id <= 4_294_967_295 ? id : undefined
}

export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)
}

/** Returns `bytes` random bytes in base64url. */
export function randomToken(bytes = 32): string {
  return randomBytes(bytes).toString('base64url')
}
