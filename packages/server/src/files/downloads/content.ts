import type { StoredContent } from '../../platform/http/bodies/content.ts'
import { ContentLocked } from '../errors.ts'
import type { Item } from '../items/item.ts'
import { previewType } from '../present.ts'
import type { FileStorage } from '../storage/file-storage.ts'
import { readContent } from '../storage/read-content.ts'
import type { Version } from '../version-store.ts'

/**
 * Throws ContentLocked if the virus scanner flagged the content, or if it has not scanned it yet and the
 * reader is not the owner.
 */
export function requireHarmless({ scan }: Pick<Version, 'scan'>, isOwner: boolean): void {
  if (scan === 'infected') throw new ContentLocked('files.infected')
  if (scan === 'waiting' && !isOwner) throw new ContentLocked('files.not-scanned')
}

/**
 * Serves a version as a download with its own media type: nosniff, Content-Disposition, and a sandbox in case
 * the browser opens it anyway.
 */
export function savedContent(storage: FileStorage, name: string, version: Version): StoredContent {
  return {
    filename: name,
    type: version.mimetype,
    size: version.size,
    // caches must distinguish the same bytes served under another type
    etag: etagOf(version),
    changedAt: version.changedAt,
    read: (start, length) => readContent(storage, version.contentId, start, length),
  }
}

/** Serves a version for inline display; undefined if its type is not allowed. */
export function shownContent(
  storage: FileStorage,
  name: string,
  version: Version,
): StoredContent | undefined {
  const type = previewType(version.mimetype)
  return type === undefined
    ? undefined
    : { ...savedContent(storage, name, version), type, isShown: true, maxAge: 3600 }
}

/** Returns the ETag of a content, its checksum. */
export function etagOf({ sha256 }: Pick<Version, 'sha256'>): string {
  return sha256.toString('hex')
}

/** Returns the file name of an archive of items. */
export function archiveFilename(items: readonly Pick<Item, 'name'>[], wanted?: string | null): string {
  const name = wanted ?? (items.length === 1 ? items[0]?.name : undefined) ?? 'files'
  return `${name.slice(0, 200)}.zip`
}
