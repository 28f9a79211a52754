import type { Ground } from '../platform/ground.ts'
import type { Identity, IdentityConfig } from '../sessions/plugin.ts'
import type { ImportSettings } from './import-settings.ts'
import { PurgeImports } from './imports.ts'
import { serveMailImports } from './routes.ts'
import { type StoreSettings, storeAccess } from './target/mail-target.ts'
import { handleImports } from './work/import-job.ts'

type Config = IdentityConfig & ImportSettings & StoreSettings

/** Adds the import of old mail from other servers. */
export function addMailImport(ground: Ground<Config>, identity: Identity): void {
  const { api, config, jobs, purge } = ground
  const store = storeAccess(config)
  serveMailImports(api, { ...ground, ...identity, store })
  handleImports(jobs, { ...ground, store })
  purge.add(new PurgeImports(ground))
}
