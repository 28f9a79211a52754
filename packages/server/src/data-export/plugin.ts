import type { BillingConfig } from '../billing/billing-settings.ts'
import { companyOf } from '../billing/receipts/company.ts'
import type { ReceiptLook } from '../billing/receipts/receipt-pdf.ts'
import type { FileSettings } from '../files/file-settings.ts'
import type { FileStorage } from '../files/storage/file-storage.ts'
import type { Ground } from '../platform/ground.ts'
import type { GroupwareBackend } from '../provisioning/backend.ts'
import type { BackendSettings } from '../provisioning/backend-settings.ts'
import type { Identity, IdentityConfig } from '../sessions/plugin.ts'
import { signingKey } from './archive/signing-key.ts'
import { mailStoreOf } from './contents/cyrus-mail-store.ts'
import { handleExports } from './export-job.ts'
import { handleExportMails } from './export-mail.ts'
import type { ExportSettings } from './export-settings.ts'
import { purgeOldExports } from './exports.ts'
import { serveDataExports } from './routes.ts'

type Config = IdentityConfig & BillingConfig & FileSettings & BackendSettings & ExportSettings

/** What the room needs beyond the ground. */
export interface ExportNeeds {
  readonly storage: FileStorage
  readonly look: ReceiptLook
  readonly backend: GroupwareBackend
}

/** Adds exports of everything that a person or an account has. */
export function addDataExport(
  ground: Ground<Config>,
  identity: Identity,
  { storage, look, backend }: ExportNeeds,
): void {
  const { api, config, fastify, jobs, purge, secrets } = ground
  const stopping = new AbortController()
  fastify.addHook('preClose', (done) => {
    stopping.abort()
    done()
  })
  handleExports(jobs, {
    ...ground,
    ...{ storage, look, company: companyOf(config), url: config.APP_URL, stopping: stopping.signal },
    mail: mailStoreOf(config, backend),
  })
  handleExportMails(jobs, ground)
  purge.add({ purge: () => purgeOldExports(ground) })
  serveDataExports(api, {
    ...ground,
    ...identity,
    ...{ storage, keys: [signingKey(secrets).published], origin: config.APP_URL },
  })
}
