import type { Readable } from 'node:stream'
import { after, hour } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { commitHeld } from '../../platform/db/held-transaction.ts'
import type { UploadFacts } from '../../platform/db/schema.ts'
import { BadRequest, Forbidden, message, NotFound, ValidationError } from '../../platform/http/errors.ts'
import { newUuid } from '../../platform/ids.ts'
import { type Secrets, sha256 } from '../../platform/secrets.ts'
import { WrongOffset } from '../errors.ts'
import type { FileSettings } from '../file-settings.ts'
import { readHolder } from '../holder-store.ts'
import type { Item } from '../items/item.ts'
import { requireRoom } from '../quota.ts'
import type { FileStorage } from '../storage/file-storage.ts'
import { hashContent } from '../storage/read-content.ts'
import { TooManyBytes, writeContent } from '../storage/write-content.ts'
import { declaredType, detectType, fallbackType } from './detect-type.ts'
import { fileUpload } from './file-upload.ts'
import { RollingHashes } from './rolling-hashes.ts'
import {
  addReceived,
  claimUpload,
  findUpload,
  insertUpload,
  openUploadsOf,
  receivedBytes,
  removeUpload,
  setContentType,
  type Upload,
} from './upload-store.ts'
import { Writers } from './writers.ts'

export interface UploadParts extends FileStorage {
  readonly settings: FileSettings
  readonly secrets: Secrets
}

/** An upload to begin, after authorisation. */
export interface NewUpload {
  readonly userId: number
  /** The session that begins it; null if it isn't a portal session. */
  readonly sessionId: string | null
  readonly ownerId: number
  readonly tenantId: number
  /** The file whose content is replaced; null for a new one. */
  readonly itemId: string | null
  readonly parents: readonly string[]
  readonly name: string
  /** Bytes; null if unknown until the end. */
  readonly size: number | null
  readonly facts: UploadFacts
}

/** State of an upload after a chunk. */
export type Progress =
  | { readonly isComplete: false; readonly received: number }
  | { readonly isComplete: true; readonly received: number; readonly item: Item }

/** Maximum number of open uploads per user. */
const mostOpen = 1000

const hashPurpose = 'file-upload'

/**
 * Uploads in progress, independent of the protocol: each is a row with its offset that counts only durable
 * bytes. It is identified by a secret derived from its id, so that it can be returned again to the user who
 * began it.
 */
export class Uploads {
  readonly #parts: UploadParts
  readonly #hashes = new RollingHashes()
  readonly #writers = new Writers()

  constructor(parts: UploadParts) {
    this.#parts = parts
  }

  /** Begins an upload. Throws QuotaExceeded if the announced size exceeds the quota. */
  async begin(wanted: NewUpload): Promise<{ readonly upload: Upload; readonly secret: string }> {
    const { db, clock, settings } = this.#parts
    await requireRoom(db, wanted.ownerId, settings.FILES_FREE_GIB, wanted.size ?? 0)
    const now = clock.now()
    if ((await openUploadsOf(db, wanted.userId, now)).length >= mostOpen) {
      throw ValidationError.at('size', 'files.too-many-uploads', { max: mostOpen })
    }
    const id = newUuid()
    const secret = this.secretOf(id)
    const upload: Upload = {
      ...wanted,
      id,
      contentId: newUuid(),
      createdAt: now,
      expiresAt: this.#expiry(),
      received: 0,
      finishedItemId: null,
    }
    const mimetype = declaredType(wanted.facts.mimetype) ?? fallbackType
    await db
      .transaction()
      .execute((trx) => insertUpload(trx, { ...upload, secretHash: sha256(secret), mimetype }))
    return { upload, secret }
  }

  /** Returns the secret of an upload, as a UUID. */
  secretOf(id: string): string {
    const bytes = this.#parts.secrets.derive(hashPurpose, id, 16)
    bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
    bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
    const hex = bytes.toString('hex')
    return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
  }

  /**
   * Returns the upload of a secret while the session that began it is active; a signed-in user must be the one
   * who began it. Throws NotFound, Forbidden.
   */
  async find(secret: string, userId?: number): Promise<Upload> {
    const { db, clock } = this.#parts
    const upload = await findUpload(db, sha256(secret.toLowerCase()))
    if (upload === undefined || upload.expiresAt <= clock.now()) throw new NotFound()
    if (userId !== undefined && userId !== upload.userId) throw new Forbidden()
    const holder = await readHolder(db, upload, clock.now())
    if (holder === undefined || holder.isSuspended || holder.isSessionOver) throw new NotFound()
    return upload
  }

  /**
   * Receives the next bytes and creates the file if they are the last. If interrupted, the received bytes are
   * kept. Throws WrongOffset, QuotaExceeded, and ValidationError if size or content differ from what was
   * announced.
   */
  async receive(upload: Upload, from: number, stream: Readable, announced?: number): Promise<Progress> {
    const { db } = this.#parts
    // the upload may take hours
    await commitHeld()
    if (!(await this.#writers.giveWay(upload.id))) throw new WrongOffset(await this.#received(upload))
    const epoch = await claimUpload(db, upload.id, from)
    if (epoch === undefined) throw new WrongOffset(await this.#received(upload))
    const room = upload.size === null ? undefined : upload.size - from
    if (room !== undefined && (announced ?? 0) > room) throw tooMany()
    const added = await this.#writers.run(upload.id, stream, (source) =>
      this.#write(upload, { from, epoch, room, source }),
    )
    const received = from + added
    if (upload.size === null || received < upload.size) return { isComplete: false, received }
    return { isComplete: true, received, item: await this.finish(upload, received) }
  }

  /** Creates the file of a completely received upload. Idempotent. */
  async finish(upload: Upload, received: number): Promise<Item> {
    const digest =
      this.#hashes.digest(upload.id, received) ??
      (received === 0 ? sha256('') : await hashContent(this.#parts, upload.contentId, received))
    const expected = upload.facts.sha256
    if (expected !== undefined && expected.toLowerCase() !== digest.toString('hex')) {
      await this.discard(upload)
      throw ValidationError.at('sha256', 'files.wrong-checksum')
    }
    const { db, clock, settings } = this.#parts
    const item = await db.transaction().execute((trx) =>
      fileUpload(trx, { clock, settings }, upload, {
        size: received,
        sha256: digest,
      }),
    )
    this.#hashes.forget(upload.id)
    return item
  }

  /** Cancels an upload. */
  async discard(upload: Upload): Promise<void> {
    await this.#writers.stop(upload.id)
    this.#hashes.forget(upload.id)
    await removeUpload(this.#parts.db, upload.id)
  }

  /** Interrupts all transfers, e.g. when the server stops; they can be resumed later. */
  stopAll(): Promise<void> {
    return this.#writers.stopAll()
  }

  async #write(
    upload: Upload,
    chunk: {
      readonly from: number
      readonly epoch: number
      readonly room: number | undefined
      readonly source: AsyncIterable<Uint8Array | string>
    },
  ): Promise<number> {
    const { from, epoch, room, source } = chunk
    const { hash, isWhole } = this.#hashes.take(upload.id, from)
    let mimetype: string | undefined
    const onPiece = async (trx: Db, bytes: number) => {
      const isMine = await addReceived(trx, { id: upload.id, epoch }, bytes, this.#expiry())
      if (!isMine) throw new WrongOffset(await this.#received(upload))
      await requireRoom(trx, upload.ownerId, this.#parts.settings.FILES_FREE_GIB)
      if (mimetype !== undefined) await setContentType(trx, upload.contentId, mimetype)
    }
    const isDeclared = declaredType(upload.facts.mimetype) !== undefined
    const onHead = (head: Uint8Array) => {
      if (from === 0 && !isDeclared) mimetype = detectType(head, upload.name)
    }
    const target = { contentId: upload.contentId, position: from, room, hash, onPiece, onHead }
    try {
      const added = await writeContent(this.#parts, target, source)
      if (isWhole) this.#hashes.keep(upload.id, from + added, hash)
      return added
    } catch (error) {
      if (error instanceof TooManyBytes) throw tooMany()
      // received bytes are kept, and there is no client left to respond to
      throw isBroken(error) ? new BadRequest() : error
    }
  }

  async #received({ id, received }: Upload): Promise<number> {
    return (await receivedBytes(this.#parts.db, id)) ?? received
  }

  #expiry(): Date {
    const { clock, settings } = this.#parts
    return after(clock.now(), settings.FILES_UPLOAD_HOURS * hour)
  }
}

/** Returns whether the connection ended before everything was received. */
function isBroken(error: unknown): boolean {
  const codes = ['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_DESTROYED', 'EPIPE']
  return error instanceof Error && 'code' in error && codes.includes(String(error.code))
}

function tooMany(): ValidationError {
  return new ValidationError({ size: message('files.too-many-bytes') })
}
