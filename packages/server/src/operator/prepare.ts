import { ensureBuiltInClients } from '../oauth/clients/built-in-clients.ts'
import type { Hasher } from '../passwords/hasher.ts'
import { type Clock, systemClock } from '../platform/clock.ts'
import { withAdvisoryLock } from '../platform/db/advisory-lock.ts'
import type { Database } from '../platform/db/database.ts'
import { migrate } from '../platform/db/migrate.ts'
import { openSecrets, prepareNextKey } from '../platform/installation-keys/open-secrets.ts'
import type { Secrets } from '../platform/secrets.ts'
import { systemTenant } from '../platform/tenant.ts'
import { catalogueFile, readCatalogue } from '../subscriptions/catalogue/catalogue-file.ts'
import { hasCatalogue, loadCatalogue } from '../subscriptions/catalogue/catalogue-store.ts'
import { makeDemoFiles } from './demo/demo-files.ts'
import { loadDemo } from './demo/load-demo.ts'
import type { OperatorConfig } from './operator-config.ts'
import { migrations } from './schema/migrations.ts'
import { schema } from './schema/schema.ts'
import { sealedColumns } from './sealed-columns.ts'
import { startUpLock } from './start-up-lock.ts'

/** Reports long migrations before there is a log. */
function tellOperator(sentence: string): void {
  process.stderr.write(`database: ${sentence}\n`)
}

/**
 * Prepares a database: schema, catalogue, demo tenant. If several processes start concurrently, one does the
 * work and the others wait. Returns whether the demo was loaded.
 */
export async function prepareDatabase(
  database: Database,
  config: OperatorConfig,
  hasher: Hasher,
  { root, isServer }: { readonly root: string; readonly isServer: boolean },
  clock: Clock = systemClock,
): Promise<{ demoLoaded: boolean; secrets: Secrets }> {
  return withAdvisoryLock(database.pool, startUpLock, async () => {
    await migrate(database, { schema, migrations }, { onProgress: tellOperator })
    // a short-lived command must not create keys that the servers have to know before they are used
    if (isServer) await prepareNextKey(database.db, config, sealedColumns)
    const secrets = await openSecrets(database.db, config, sealedColumns)
    if (!(await hasCatalogue(database.db, systemTenant))) {
      await loadCatalogue(database.db, systemTenant, await readCatalogue(catalogueFile(config, root)))
    }
    await ensureBuiltInClients({ db: database.db, clock, secrets }, config)
    const demoLoaded = config.demo && (await loadDemo(database.db, clock, hasher, { config, secrets }))
    if (demoLoaded) await makeDemoFiles({ db: database.db, clock, config, secrets })
    return { demoLoaded, secrets }
  })
}
