import type { Ground } from '../platform/ground.ts'
import type { Identity } from '../sessions/plugin.ts'
import { serveSearch } from './routes.ts'

/** A search over everything the caller may see. */
export function addSearch(ground: Ground<unknown>, identity: Identity): void {
  serveSearch(ground.api, { ...ground, ...identity })
}
