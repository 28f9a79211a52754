import { readFile, readlink } from 'node:fs/promises'
import { basename, join } from 'node:path'

import { systemErrorCode } from '../errors.ts'
import { commandLine, identifyProcess, type ProcessIdentity } from './process-identity.ts'

/** A server running on a data folder. */
export interface RunningPostmaster {
  readonly identity: ProcessIdentity
  readonly socketFolder: string
  readonly state: 'starting' | 'ready' | 'stopping'
}

/** The content of `postmaster.pid`. */
export interface PostmasterFile {
  readonly pid: number
  readonly socketFolder: string
  readonly status: string
}

/** Parses `postmaster.pid`; null while it is incomplete. */
export function parsePostmasterFile(text: string): PostmasterFile | null {
  const lines = text.split('\n')
  const pid = Number(lines[0])
  if (!Number.isSafeInteger(pid) || pid <= 0) return null
  return { pid, socketFolder: lines[4] ?? '', status: (lines[7] ?? '').trim() }
}

/** Reads `postmaster.pid` of a data folder; null if there is none. */
export async function readPostmasterFile(data: string): Promise<PostmasterFile | null> {
  const text = await readFile(join(data, 'postmaster.pid'), 'utf8').catch((error: unknown) => {
    if (systemErrorCode(error) === 'ENOENT') return null
    throw error
  })
  return text === null ? null : parsePostmasterFile(text)
}

/**
 * Returns the server running on a data folder. The process id in `postmaster.pid` isn't sufficient: the file
 * survives kill -9, and the id may have been reused.
 */
export async function findPostmaster(data: string): Promise<RunningPostmaster | null> {
  const file = await readPostmasterFile(data)
  if (file === null) return null
  const identity = await identifyProcess(file.pid)
  if (identity === null || !(await servesFolder(file.pid, data))) return null
  const state = file.status === 'ready' || file.status === 'stopping' ? file.status : 'starting'
  return { identity, socketFolder: file.socketFolder, state }
}

async function servesFolder(pid: number, data: string): Promise<boolean> {
  const words = (await commandLine(pid)) ?? []
  const program = basename(words[0] ?? '')
  if (program !== 'postgres' && program !== 'postmaster') return false
  if (words.includes(data)) return true
  // If the folder was moved while the server runs, its command line has the old name, its working directory the
  // new one.
  return (await readlink(`/proc/${pid}/cwd`).catch(() => null)) === data
}
