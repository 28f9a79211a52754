import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { ContentStore } from './content-store.ts'
import type { FileKeys } from './file-keys.ts'

/** Dependencies of writing and reading content. */
export interface FileStorage {
  readonly db: Db
  readonly clock: Clock
  readonly store: ContentStore
  readonly keys: FileKeys
}
