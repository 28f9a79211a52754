import type { Hasher } from '../passwords/hasher.ts'
import type { Secrets } from '../platform/secrets.ts'
import type { FeatureSettings } from '../platform/settings/feature-settings.ts'
import type { SiteConfig } from '../platform/settings/site-settings.ts'
import type { Throttle } from '../platform/throttle/throttle.ts'
import type { AccessParts } from './access.ts'
import type { FileSettings } from './file-settings.ts'
import type { FileStorage } from './storage/file-storage.ts'
import type { Thumbnailer } from './thumbnails/thumbnailer.ts'
import type { Uploads } from './uploads/uploads.ts'

/** Dependencies of the file rules. */
export interface FileParts extends AccessParts, FileStorage {
  readonly config: SiteConfig & FeatureSettings & Pick<FileSettings, 'FILES_ORIGIN'>
  readonly settings: FileSettings
  readonly secrets: Secrets
  readonly hasher: Hasher
  readonly throttle: Throttle
  readonly uploads: Uploads
  readonly thumbnailer: Thumbnailer
}
