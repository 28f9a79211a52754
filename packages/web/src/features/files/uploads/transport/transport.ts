import type { NameConflict } from '@gatehouse/contract/files/file-uploads'
import type { Place } from '../upload.ts'

/** What is told with the content of a file. */
export interface ContentFacts {
  readonly name: string
  /** The folder; null: the root. */
  readonly parent: string | null
  /** The file whose content it replaces. */
  readonly item?: string
  readonly conflict: NameConflict
  /** Bytes. */
  readonly size: number
  /** Unix seconds. */
  readonly mtime: number
  readonly sha256?: string
}

/** How far an upload is. */
export type UploadProgress =
  | { readonly isComplete: false; readonly uploaded: number; readonly maxChunkSize: number }
  | { readonly isComplete: true; readonly id: string }

export interface SendOptions {
  /** Bytes of this request that have left the browser. */
  readonly onSent: (bytes: number) => void
  readonly signal: AbortSignal
}

/** What uploads ask of the server. Failures are `ApiError`s; what was cancelled is an `AbortError`. */
export interface UploadTransport {
  /** The folder at the end of a path; what is missing of it is made. */
  folder(place: Place, signal: AbortSignal): Promise<string | null>
  /** All of a small file at once. Repeated under the same key it happens once. */
  whole(content: File, facts: ContentFacts, key: string, options: SendOptions): Promise<{ id: string }>
  /** Begins a file that is sent in chunks. */
  begin(
    facts: ContentFacts,
    key: string,
    signal: AbortSignal,
  ): Promise<{ uploadId: string; maxChunkSize: number }>
  /** Sends what the server does not have yet of it. `onSent` counts from the beginning of the file. */
  rest(uploadId: string, content: Blob, options: SendOptions & { readonly chunkSize: number }): Promise<void>
  progress(uploadId: string, signal: AbortSignal): Promise<UploadProgress>
  discard(uploadId: string): Promise<void>
  /** SHA-256 of a file as the server has it. */
  checksum(id: string, signal: AbortSignal): Promise<string | null>
}

/** What is known of an upload that has begun, so that it can go on after the page was loaded anew. */
export interface BegunUpload {
  readonly uploadId: string
  readonly name: string
  readonly size: number
  /** When the file was last changed, milliseconds of the epoch. */
  readonly modified: number
  readonly parent: string | null
  readonly item?: string
}

/** Keeps what has begun, beyond the life of a page. */
export interface UploadMemory {
  find(wanted: Omit<BegunUpload, 'uploadId'>): BegunUpload | undefined
  remember(begun: BegunUpload): void
  forget(uploadId: string): void
  /** The right to go on with an upload, given back by the function; undefined: another tab is at it. */
  claim(uploadId: string): Promise<(() => void) | undefined>
}
