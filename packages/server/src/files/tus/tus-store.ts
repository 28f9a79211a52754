import { AsyncLocalStorage } from 'node:async_hooks'
import type { Readable } from 'node:stream'
import { nameConflict } from '@gatehouse/contract/files/file-uploads'
import { DataStore, Upload as TusUpload } from '@tus/server'
import type { RequestFacts } from '../../platform/http/call.ts'
import type { Principal } from '../../platform/http/callers/principal.ts'
import { type FieldMessages, message, ValidationError } from '../../platform/http/errors.ts'
import { actorOf } from '../../users/actor.ts'
import { requireFiles, requireItem } from '../access.ts'
import { holderOf } from '../downloads/tickets.ts'
import { nameProblem, normaliseName } from '../file-name.ts'
import type { FileParts } from '../file-parts.ts'
import { placeFor } from '../items/parents.ts'
import { mayChange } from '../policy.ts'
import type { Upload } from '../uploads/upload-store.ts'
import { declareSize } from '../uploads/upload-store.ts'
import type { NewUpload } from '../uploads/uploads.ts'

/** The request that the library is processing. */
export type TusRequest = RequestFacts & { readonly principal: Principal }

type Metadata = Readonly<Record<string, string | null>>

/**
 * Stores uploads for the tus library: its ids are the upload secrets, and everything is delegated to the
 * common uploads.
 */
export class TusStore extends DataStore {
  readonly #parts: FileParts
  readonly #requests = new AsyncLocalStorage<TusRequest>()

  constructor(parts: FileParts) {
    super()
    this.#parts = parts
    this.extensions = ['creation', 'creation-with-upload', 'creation-defer-length', 'termination']
  }

  /** Runs work in the context of a request. */
  as<T>(request: TusRequest, work: () => Promise<T>): Promise<T> {
    return this.#requests.run(request, work)
  }

  override async create(wanted: TusUpload): Promise<TusUpload> {
    const { uploads } = this.#parts
    const { upload, secret } = await uploads.begin(await this.#newUpload(wanted))
    wanted.id = secret
    wanted.creation_date = upload.createdAt.toISOString()
    if (upload.size === 0) await uploads.finish(upload, 0)
    return wanted
  }

  override async write(stream: Readable, secret: string, offset: number): Promise<number> {
    const upload = await this.#find(secret)
    if (upload.finishedItemId !== null) return upload.received
    return (await this.#parts.uploads.receive(upload, offset, stream)).received
  }

  override async getUpload(secret: string): Promise<TusUpload> {
    const upload = await this.#find(secret)
    // if the server stopped after the last byte, the file doesn't exist yet, and a client that sees everything
    // stored sends nothing more
    const { received, size, finishedItemId } = upload
    if (received === size && finishedItemId === null) await this.#parts.uploads.finish(upload, received)
    return new TusUpload({
      id: secret,
      ...(upload.size !== null && { size: upload.size }),
      offset: upload.received,
      metadata: { name: upload.name },
      creation_date: upload.createdAt.toISOString(),
    })
  }

  override async declareUploadLength(secret: string, size: number): Promise<void> {
    const upload = await this.#find(secret)
    if (!(await declareSize(this.#parts.db, upload.id, size))) {
      throw new ValidationError({ size: message('files.too-many-bytes') })
    }
    if (upload.received === size) await this.#parts.uploads.finish({ ...upload, size }, size)
  }

  override async remove(secret: string): Promise<void> {
    await this.#parts.uploads.discard(await this.#find(secret))
  }

  /** Returns the request being processed. */
  request(): TusRequest {
    const request = this.#requests.getStore()
    if (request === undefined) throw new Error('tus store used outside of a request')
    return request
  }

  #find(secret: string): Promise<Upload> {
    return this.#parts.uploads.find(secret, this.request().principal.userId)
  }

  /** Parses the metadata of a new upload: a new file in `parent` or the root, or new content of `item`. */
  async #newUpload({ size, metadata = {} }: TusUpload): Promise<NewUpload> {
    const request = this.request()
    const { principal } = request
    const holder = holderOf(principal)
    const common = {
      userId: principal.userId,
      sessionId: 'sessionId' in holder ? holder.sessionId : null,
      size: size ?? null,
      facts: { ...factsOf(metadata), actor: actorOf(principal, request) },
    }
    if (metadata.item != null) {
      const { item } = await requireItem(this.#parts, principal, metadata.item, request, mayChange)
      if (item.type !== 'file') throw ValidationError.at('item', 'validation.invalidvalue')
      const { ownerId, tenantId, name } = item
      return { ...common, ownerId, tenantId, itemId: item.id, parents: [], name }
    }
    // other clients of the protocol send `filename`
    const name = normaliseName(metadata.name ?? metadata.filename ?? '')
    const problem = nameProblem(name)
    const place = await placeFor(this.#parts.db, principal, metadata.parent == null ? [] : [metadata.parent])
    if (place.ownerId === principal.userId) await requireFiles(this.#parts, principal, request)
    if (problem !== undefined) throw new ValidationError({ name: problem })
    const { ownerId, tenantId, parents } = place
    return { ...common, ownerId, tenantId, itemId: null, parents, name }
  }
}

/** Parses the metadata about the content. Throws a 422 for invalid values. */
function factsOf(metadata: Metadata) {
  const { mimetype, filetype, mtime, sha256 } = metadata
  const conflict = nameConflict.safeParse(metadata.conflict ?? 'keep')
  const invalid = message('validation.invalidvalue')
  const problems: Record<string, FieldMessages> = {
    ...(!conflict.success && { conflict: invalid }),
    ...(mtime != null && !/^\d{1,12}$/.test(mtime) && { mtime: invalid }),
    ...(sha256 != null && !/^[0-9a-f]{64}$/i.test(sha256) && { sha256: invalid }),
  }
  if (!conflict.success || Object.keys(problems).length > 0) throw new ValidationError(problems)
  const type = mimetype ?? filetype
  return {
    conflict: conflict.data,
    ...(type != null && { mimetype: type.slice(0, 256) }),
    ...(mtime != null && { mtime: Number(mtime) }),
    ...(sha256 != null && { sha256 }),
  }
}
