import type { Ground } from '../platform/ground.ts'
import type { Identity, IdentityConfig } from '../sessions/plugin.ts'
import { ManageSieveServer } from './managesieve/managesieve-server.ts'
import { serveMailFilters } from './routes.ts'
import { type SieveSettings, sieveAccess } from './sieve-access.ts'
import { handleUploads } from './upload-job.ts'

type Config = IdentityConfig & SieveSettings

/** Adds filters of incoming mail and automatic replies. */
export function addMailFilters(ground: Ground<Config>, identity: Identity): void {
  const { api, config, jobs } = ground
  const access = sieveAccess(config)
  const server = access && new ManageSieveServer(access)
  serveMailFilters(api, { ...ground, ...identity, isConnected: server !== undefined })
  handleUploads(jobs, { ...ground, server })
}
