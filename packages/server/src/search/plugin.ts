import type { Ground } from '../platform/ground.ts'
import type { Identity } from '../sessions/plugin.ts'
import { serveSearch } from './routes.ts'

/** One search over everything that somebody may see. */
export function addSearch(ground: Ground<unknown>, identity: Identity): void {
  serveSearch(ground.api, { ...ground, ...identity })
}
