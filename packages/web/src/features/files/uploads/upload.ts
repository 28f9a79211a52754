import type { NameConflict } from '@gatehouse/contract/files/file-uploads'
import type { NameFault } from '../names.ts'
import type { Folders } from './folders.ts'

/** Where a file goes. */
export interface Place {
  /** The folder that it was dropped on; null: the root. */
  readonly parent: string | null
  /** Names of folders below that, which are made where they are missing. */
  readonly path: readonly string[]
  /** Looks for those folders, once for all files of one act. Absent: they are looked for each time. */
  readonly folders?: Folders
  /** The file whose content it replaces; then it goes nowhere else. */
  readonly item?: string
}

/**
 * `waiting` for its turn, `sending`, `checking` whether what arrived is what was sent, `lost`: the network is, and it goes on by
 * itself; `paused` by a person, `conflict`: a person decides about the name, `failed`: it can be tried again, `done`.
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
 * Why an upload failed. `refused`: by the server, in its words; `changed`: the content that arrived is not that of the file;
 * `unreadable`: the browser cannot read the file any more; `name`: the name is not allowed.
 */
export type Problem =
  | { readonly kind: 'refused'; readonly text: string; readonly fields: readonly string[] }
  | { readonly kind: 'changed' | 'unreadable' }
  | { readonly kind: 'name'; readonly fault: NameFault }

/** One file on its way to the server. */
export interface Upload {
  readonly id: number
  readonly file: File
  /** As it will be called. */
  readonly name: string
  readonly place: Place
  readonly conflict: NameConflict
  readonly state: UploadState
  /** Bytes that have arrived, as far as is known. */
  readonly sent: number
  readonly problem?: Problem
  /** The file that it became. */
  readonly itemId?: string
  /** The folder in which it lies now, once that is known. */
  readonly folder?: string | null
  /** The checksum of what arrived is that of the file. */
  readonly isVerified?: true
}

/** A file that is to be sent. */
export type NewUpload = Pick<Upload, 'file' | 'place'> &
  Partial<Pick<Upload, 'name' | 'conflict'>> & {
    /** What was begun of it before, wherever. */
    readonly continues?: string
  }

/** All uploads in a few numbers. */
export interface UploadSummary {
  readonly count: number
  readonly done: number
  readonly failed: number
  readonly conflicts: number
  /** Waiting, under way, or waiting for the network. */
  readonly active: number
  readonly paused: number
  readonly isLost: boolean
  /** Bytes. */
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
    // many empty files are progress too
    share: total > 0 ? sent / total : uploads.length > 0 ? done / uploads.length : 0,
  }
}
