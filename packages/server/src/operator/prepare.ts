import { ensureBuiltInClients } from '../oauth/clients/built-in-clients.ts'
import type { Hasher } from '../passwords/hasher.ts'
import { type Clock, systemClock } from '../platform/clock.ts'
import { withAdvisoryLock } from '../platform/db/advisory-lock.ts'
import type { Database } from '../platform/db/database.ts'
import { migrate } from '../platform/db/migrate.ts'
import { openSecrets, prepareNextKey } from '../platform/installation-keys/open-secrets.ts'
import type { Secrets } from '../platform/secrets.ts'
import { systemTenant } from '../platform/tenant.ts'
import { hasCatalogue, loadCatalogue } from '../subscriptions/catalogue/catalogue-store.ts'
import type { OperatorConfig } from './operator-config.ts'
import { migrations } from './schema/migrations.ts'
import { schema } from './schema/schema.ts'
import { startUpLock } from './start-up-lock.ts'

/** Loads the sealed columns with the code of the rooms that seal them. */
async function loadSealedColumns() {
  return (await import('./sealed-columns.ts')).sealedColumns
}

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
    await migrate(
      database,
      { schema, migrations },
      {
        onProgress: tellOperator,
        // a command leaves updates of the queue to the servers, whose workers need them
        queue: isServer ? 'always' : 'with-schema',
      },
    )
    // a short-lived command must not create keys that the servers have to know before they are used
    if (isServer) await prepareNextKey(database.db, config, loadSealedColumns)
    const secrets = await openSecrets(database.db, config, loadSealedColumns)
    if (!(await hasCatalogue(database.db, systemTenant))) {
      const { catalogueFile, readCatalogue } = await import('../subscriptions/catalogue/catalogue-file.ts')
      await loadCatalogue(database.db, systemTenant, await readCatalogue(catalogueFile(config, root)))
    }
    await ensureBuiltInClients({ db: database.db, clock, secrets }, config)
    if (!config.demo) return { demoLoaded: false, secrets }
    // loaded only here, because it takes a command longer to load than most commands to run
    const [{ loadDemo }, { makeDemoFiles }] = await Promise.all([
      import('./demo/load-demo.ts'),
      import('./demo/demo-files.ts'),
    ])
    const demoLoaded = await loadDemo(database.db, clock, hasher, { config, secrets })
    if (demoLoaded) await makeDemoFiles({ db: database.db, clock, config, secrets })
    return { demoLoaded, secrets }
  })
}
