import type { NameConflict } from '@gatehouse/contract/files/file-uploads'
import type { Place } from '../upload.ts'

/** Metadata sent with the content of a file. */
export interface ContentFacts {
  readonly name: string
  /** The folder; null: the root. */
  readonly parent: string | null
  /** The file whose content is replaced. */
  readonly item?: string
  readonly conflict: NameConflict
  /** Bytes. */
  readonly size: number
  /** Unix seconds. */
  readonly mtime: number
  readonly sha256?: string
}

/** Progress of an upload. */
export type UploadProgress =
  | { readonly isComplete: false; readonly uploaded: number; readonly maxChunkSize: number }
  | { readonly isComplete: true; readonly id: string }

export interface SendOptions {
  /** Bytes of this request that have been sent. */
  readonly onSent: (bytes: number) => void
  readonly signal: AbortSignal
}

/** Server operations of uploads. Failures are `ApiError`s, cancellations `AbortError`s. */
export interface UploadTransport {
  /** Returns the folder at the end of a path; missing folders are created. */
  folder(place: Place, signal: AbortSignal): Promise<string | null>
  /** Sends a small file in one request. Idempotent per key. */
  whole(content: File, facts: ContentFacts, key: string, options: SendOptions): Promise<{ id: string }>
  /** Starts a chunked upload. */
  begin(
    facts: ContentFacts,
    key: string,
    signal: AbortSignal,
  ): Promise<{ uploadId: string; maxChunkSize: number }>
  /** Sends the bytes the server doesn't have yet. `onSent` counts from the start of the file. */
  rest(uploadId: string, content: Blob, options: SendOptions & { readonly chunkSize: number }): Promise<void>
  progress(uploadId: string, signal: AbortSignal): Promise<UploadProgress>
  discard(uploadId: string): Promise<void>
  /** SHA-256 of a file as stored on the server. */
  checksum(id: string, signal: AbortSignal): Promise<string | null>
}

/** Data of an unfinished upload, so that it can resume after a reload. */
export interface BegunUpload {
  readonly uploadId: string
  readonly name: string
  readonly size: number
  /** Last modification of the file, in milliseconds since the epoch. */
  readonly modified: number
  readonly parent: string | null
  readonly item?: string
}

/** Stores unfinished uploads beyond the life of a page. */
export interface UploadMemory {
  find(wanted: Omit<BegunUpload, 'uploadId'>): BegunUpload | undefined
  remember(begun: BegunUpload): void
  forget(uploadId: string): void
  /**
   * Acquires the right to resume an upload; returns a function to release it, or undefined if another tab has
   * it.
   */
  claim(uploadId: string): Promise<(() => void) | undefined>
}
