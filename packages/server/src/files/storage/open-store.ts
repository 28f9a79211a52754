import { join } from 'node:path'
import type { Db } from '../../platform/db/database.ts'
import type { FileSettings } from '../file-settings.ts'
import type { ContentStore } from './content-store.ts'
import { DiskStore } from './disk-store.ts'
import { checkFolder } from './folder-mark.ts'
import { type S3Settings, S3Store } from './s3-store.ts'

/** Opens the configured store. Throws WrongFolder if it doesn't belong to the database. */
export async function openStore(
  settings: FileSettings & { readonly dataDir: string },
  db: Db,
): Promise<ContentStore> {
  if (settings.FILESYSTEM_DISK === 'local') {
    const folder = settings.FILES_FOLDER ?? join(settings.dataDir, 'files')
    await checkFolder(db, folder)
    return DiskStore.open(folder)
  }
  return S3Store.open(s3SettingsOf(settings))
}

/** Returns the bucket's settings, whose presence has been validated. */
export function s3SettingsOf(settings: FileSettings): S3Settings {
  const { FILES_S3_ENDPOINT: endpoint } = settings
  return {
    ...(endpoint !== undefined && { endpoint }),
    region: settings.FILES_S3_REGION,
    bucket: settings.FILES_S3_BUCKET ?? '',
    accessKey: settings.FILES_S3_KEY ?? '',
    secretKey: settings.FILES_S3_SECRET ?? '',
    pathStyle: settings.FILES_S3_PATH_STYLE,
  }
}
