import { after, day } from '../../platform/clock.ts'
import { NotReady } from '../../platform/health/health.ts'
import { seal } from '../../platform/secrets.ts'
import type { Item } from '../items/item.ts'
import type { FileStorage } from '../storage/file-storage.ts'
import { readContent } from '../storage/read-content.ts'
import type { Version } from '../version-store.ts'
import { PicturesBusy, PictureWorker } from './picture-worker.ts'
import { keepThumbnail, readThumbnail } from './thumbnail-store.ts'
import { hasThumbnail } from './thumbnail-types.ts'

/**
 * Thumbnails of images, created on demand and stored encrypted with their content, with which they are
 * deleted.
 */
export class Thumbnailer {
  readonly #storage: FileStorage
  readonly #worker = new PictureWorker()

  constructor(storage: FileStorage) {
    this.#storage = storage
  }

  /**
   * Returns the thumbnail as WebP; undefined if there is none. Throws NotReady if too many are being created.
   */
  async thumbnail(item: Item, version: Version, side: number): Promise<Buffer | undefined> {
    if (!hasThumbnail({ ...item, mimetype: version.mimetype, size: version.size })) return undefined
    const { db, clock, keys } = this.#storage
    const known = await readThumbnail(db, version.contentId, side)
    if (known?.sealed != null && known.keyId !== null) return keys.unwrap(known.keyId, known.sealed)
    const now = clock.now()
    // the failure may have been temporary
    if (known !== undefined && known.createdAt > after(now, -day)) return undefined
    const picture = await this.#make(version, side)
    const key = picture && (await keys.current())
    const kept = { keyId: key?.id ?? null, sealed: key && picture ? seal(key.key, picture) : null }
    await keepThumbnail(db, { contentId: version.contentId, side, createdAt: now }, kept)
    return picture
  }

  close(): void {
    this.#worker.close()
  }

  async #make(version: Version, side: number): Promise<Buffer | undefined> {
    const parts: Uint8Array[] = []
    for await (const part of readContent(this.#storage, version.contentId, 0, version.size)) parts.push(part)
    try {
      return await this.#worker.shrink(Buffer.concat(parts), side)
    } catch (error) {
      throw error instanceof PicturesBusy ? new NotReady() : error
    }
  }
}
