import type { StoredContent } from '../../platform/http/bodies/content.ts'
import { ContentLocked } from '../errors.ts'
import type { Item } from '../items/item.ts'
import { previewType } from '../present.ts'
import type { FileStorage } from '../storage/file-storage.ts'
import { readContent } from '../storage/read-content.ts'
import type { Version } from '../version-store.ts'

/** Throws ContentLocked for what the virus scan has found, and for others than the owner before it has looked. */
export function requireHarmless({ scan }: Pick<Version, 'scan'>, isOwner: boolean): void {
  if (scan === 'infected') throw new ContentLocked('files.infected')
  if (scan === 'waiting' && !isOwner) throw new ContentLocked('files.not-scanned')
}

/**
 * A version as something to save, under its own media type: the browser is told to save it and to guess nothing, and gets a
 * sandbox in case that it opens it all the same.
 */
export function savedContent(storage: FileStorage, name: string, version: Version): StoredContent {
  return {
    filename: name,
    type: version.mimetype,
    size: version.size,
    // the same bytes under another type are something else to a cache
    etag: etagOf(version),
    changedAt: version.changedAt,
    read: (start, length) => readContent(storage, version.contentId, start, length),
  }
}

/** A version to be shown in place; undefined: its type is none that may be. */
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

/** What tells content of a file from any other: its checksum. */
export function etagOf({ sha256 }: Pick<Version, 'sha256'>): string {
  return sha256.toString('hex')
}

/** The name of an archive of items. */
export function archiveFilename(items: readonly Pick<Item, 'name'>[], wanted?: string | null): string {
  const name = wanted ?? (items.length === 1 ? items[0]?.name : undefined) ?? 'files'
  return `${name.slice(0, 200)}.zip`
}
