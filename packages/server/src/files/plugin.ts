import type { BillingConfig } from '../billing/billing-settings.ts'
import type { Db } from '../platform/db/database.ts'
import type { Ground } from '../platform/ground.ts'
import type { Identity, IdentityConfig } from '../sessions/plugin.ts'
import { handleFiles } from './file-jobs.ts'
import type { FileSettings } from './file-settings.ts'
import { storageOf } from './quota.ts'
import { serveFiles } from './serve-files.ts'
import { ClosedStore } from './storage/closed-store.ts'
import { FileKeys } from './storage/file-keys.ts'
import type { FileStorage } from './storage/file-storage.ts'
import { openStore } from './storage/open-store.ts'
import { Thumbnailer } from './thumbnails/thumbnailer.ts'
import { serveTus } from './tus/serve-tus.ts'
import { Uploads } from './uploads/uploads.ts'

/** Reads the storage used by users, for screens that show it; undefined if files are not offered. */
export function storageReader({
  APP_WITH_FILES,
  FILES_FREE_GIB,
}: Pick<IdentityConfig & FileSettings, 'APP_WITH_FILES' | 'FILES_FREE_GIB'>) {
  if (!APP_WITH_FILES) return undefined
  return (db: Db, userIds: readonly number[]) => storageOf(db, userIds, FILES_FREE_GIB)
}

/** Files of accounts: their storage, uploads and thumbnails. Without content, only facts about files are available. */
export async function addFiles(
  ground: Ground<IdentityConfig & BillingConfig & FileSettings>,
  identity: Identity,
  hasContent: boolean,
) {
  const { api, config, db, clock, fastify, jobs, post, secrets } = ground
  const storage: FileStorage = {
    ...{ db, clock },
    store: hasContent ? await openStore(config, db) : new ClosedStore(),
    keys: new FileKeys(db, clock, secrets),
  }
  const uploads = new Uploads({ ...storage, settings: config, secrets })
  fastify.addHook('preClose', () => uploads.stopAll())
  const thumbnailer = new Thumbnailer(storage)
  handleFiles(jobs, { ...storage, post }, config)
  const parts = { ...ground, ...identity, ...storage, settings: config, uploads, thumbnailer }
  serveFiles(api, parts)
  await serveTus(fastify, api, parts)
  const close = () => {
    thumbnailer.close()
    storage.store.close()
  }
  return { storage, close }
}
