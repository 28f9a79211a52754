import { Readable } from 'node:stream'
import type { S3Client } from '@aws-sdk/client-s3'
import { Unavailable } from '../../platform/http/errors.ts'
import { newUuid } from '../../platform/ids.ts'
import { type ContentStore, ObjectMissing, type ObjectWriter } from './content-store.ts'

const megabyte = 1024 * 1024

/** Milliseconds; without limits a store that doesn't answer would block requests forever. */
const limits = { connectionTimeout: 3000, requestTimeout: 30_000, throwOnRequestTimeout: true }

/** The object store is down or overloaded. Clients may retry. */
class StoreUnavailable extends Unavailable {
  override readonly cause: unknown

  constructor(cause: unknown) {
    super(5)
    this.cause = cause
  }
}

export interface S3Settings {
  /** Absent: Amazon's endpoint for the region. */
  readonly endpoint?: string
  readonly region: string
  readonly bucket: string
  readonly accessKey: string
  readonly secretKey: string
  /** Puts the bucket in the path of URLs instead of the host name. */
  readonly pathStyle: boolean
}

type Library = typeof import('@aws-sdk/client-s3')

/**
 * Stores objects in a bucket of an S3-compatible server. A piece fits in memory, so it is sent in a single
 * retryable request and is either stored completely or not at all.
 */
export class S3Store implements ContentStore {
  readonly pieceBytes = 8 * megabyte
  readonly #client: S3Client
  readonly #library: Library
  readonly #bucket: string

  private constructor(client: S3Client, library: Library, bucket: string) {
    this.#client = client
    this.#library = library
    this.#bucket = bucket
  }

  /**
   * Connects to a bucket, which must exist. The client is imported lazily, since most installations don't need
   * it.
   */
  static async open(settings: S3Settings): Promise<S3Store> {
    const library = await import('@aws-sdk/client-s3')
    const client = new library.S3Client({
      region: settings.region,
      ...(settings.endpoint !== undefined && { endpoint: settings.endpoint }),
      forcePathStyle: settings.pathStyle,
      credentials: { accessKeyId: settings.accessKey, secretAccessKey: settings.secretKey },
      // servers other than Amazon's store the framing of streamed checksums as content; segments authenticate themselves
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      maxAttempts: 4,
      requestHandler: limits,
    })
    return new S3Store(client, library, settings.bucket)
  }

  async create(id: string): Promise<ObjectWriter> {
    let parts: Uint8Array[] = []
    return {
      write: async (more) => {
        parts.push(...more)
      },
      commit: async () => {
        const Body = Buffer.concat(parts)
        parts = []
        await this.#reach(() =>
          this.#client.send(
            new this.#library.PutObjectCommand({ ...this.#place(id), Body, ContentLength: Body.length }),
          ),
        )
      },
      discard: async () => {
        parts = []
      },
    }
  }

  async *read(id: string, start: number, length: number): AsyncGenerator<Uint8Array> {
    if (length === 0) return
    const body = await this.#get(id, `bytes=${start}-${start + length - 1}`)
    let received = 0
    try {
      for await (const bytes of body) {
        received += bytes.length
        yield bytes
      }
    } finally {
      body.destroy()
    }
    if (received !== length) throw new Error(`${id}: received ${received} bytes instead of ${length}`)
  }

  async remove(id: string): Promise<void> {
    await this.#reach(() => this.#client.send(new this.#library.DeleteObjectCommand(this.#place(id))))
  }

  async probe(): Promise<void> {
    const id = newUuid()
    const writer = await this.create(id)
    await writer.write([Buffer.from('probe')])
    await writer.commit()
    for await (const _ of this.read(id, 0, 5));
    await this.remove(id)
  }

  /** Throws unless the bucket exists and the credentials grant access. */
  async findBucket(): Promise<void> {
    await this.#client.send(new this.#library.HeadBucketCommand({ Bucket: this.#bucket }))
  }

  close(): void {
    this.#client.destroy()
  }

  async #get(id: string, Range: string): Promise<Readable & AsyncIterable<Buffer>> {
    try {
      const { Body } = await this.#reach(() =>
        this.#client.send(new this.#library.GetObjectCommand({ ...this.#place(id), Range })),
      )
      // in Node, the body is a Readable
      if (Body instanceof Readable) return Body
      throw new Error(`${id}: the response has no body`)
    } catch (error) {
      throw error instanceof this.#library.NoSuchKey ? new ObjectMissing(id) : error
    }
  }

  /** Throws StoreUnavailable if the store is still down, failing or throttling after the client's retries. */
  async #reach<T>(send: () => Promise<T>): Promise<T> {
    try {
      return await send()
    } catch (error) {
      if (!(error instanceof this.#library.S3ServiceException)) throw new StoreUnavailable(error)
      const { httpStatusCode = 500 } = error.$metadata
      throw httpStatusCode >= 500 || httpStatusCode === 429 ? new StoreUnavailable(error) : error
    }
  }

  #place(id: string): { Bucket: string; Key: string } {
    return { Bucket: this.#bucket, Key: `${id.slice(-2)}/${id.slice(-4, -2)}/${id}` }
  }
}
