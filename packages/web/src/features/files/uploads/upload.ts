import type { NameConflict } from '@gatehouse/contract/files/file-uploads'
import type { NameFault } from '../names.ts'
import type { Folders } from './folders.ts'

/** Target of a file. */
export interface Place {
  /** The folder it was dropped on; null: the root. */
  readonly parent: string | null
  /** Names of subfolders, which are created if missing. */
  readonly path: readonly string[]
  /** Resolves those folders, shared by all files of one action. By default they are looked up each time. */
  readonly folders?: Folders
  /** The file whose content is replaced, instead of creating a new one. */
  readonly item?: string
}

/**
 * `waiting` in the queue; `sending`; `checking` that the content arrived intact; `lost`: offline, resumes
 * automatically; `paused` by the user; `conflict`: the user must decide about the name; `failed`: can be
 * retried; `done`.
 */
export type UploadState =
  | 'waiting'
  | 'sending'
  | 'checking'
  | 'lost'
  | 'paused'
  | 'conflict'
  | 'failed'
  | 'done'

/**
 * Why an upload failed. `refused`: rejected by the server, with its message; `changed`: the content that
 * arrived differs from the file; `unreadable`: the browser can no longer read the file; `name`: the name
 * isn't allowed.
 */
export type Problem =
  | { readonly kind: 'refused'; readonly text: string; readonly fields: readonly string[] }
  | { readonly kind: 'changed' | 'unreadable' }
  | { readonly kind: 'name'; readonly fault: NameFault }

/** A file being uploaded. */
export interface Upload {
  readonly id: number
  readonly file: File
  /** The name it will have. */
  readonly name: string
  readonly place: Place
  readonly conflict: NameConflict
  readonly state: UploadState
  /** Bytes known to have arrived. */
  readonly sent: number
  readonly problem?: Problem
  /** Id of the resulting file. */
  readonly itemId?: string
  /** The folder that contains it, once known. */
  readonly folder?: string | null
  /** The checksum of the uploaded content matches the file. */
  readonly isVerified?: true
}

/** A file to upload. */
export type NewUpload = Pick<Upload, 'file' | 'place'> &
  Partial<Pick<Upload, 'name' | 'conflict'>> & {
    /** Id of an unfinished upload to resume, from any browser. */
    readonly continues?: string
  }

/** Summary of all uploads. */
export interface UploadSummary {
  readonly count: number
  readonly done: number
  readonly failed: number
  readonly conflicts: number
  /** Waiting, sending, or waiting for the network. */
  readonly active: number
  readonly paused: number
  readonly isLost: boolean
  /** In bytes. */
  readonly sent: number
  readonly total: number
  /** From 0 to 1. */
  readonly share: number
}

export function summaryOf(uploads: readonly Upload[]): UploadSummary {
  const count = (...states: UploadState[]) => uploads.filter(({ state }) => states.includes(state)).length
  const sent = uploads.reduce((sum, one) => sum + (one.state === 'done' ? one.file.size : one.sent), 0)
  const total = uploads.reduce((sum, { file }) => sum + file.size, 0)
  const done = count('done')
  return {
    count: uploads.length,
    done,
    failed: count('failed'),
    conflicts: count('conflict'),
    active: count('waiting', 'sending', 'checking', 'lost'),
    paused: count('paused'),
    isLost: count('lost') > 0,
    sent,
    total,
    // empty files count as progress too
    share: total > 0 ? sent / total : uploads.length > 0 ? done / uploads.length : 0,
  }
}
