import { randomUUID } from 'node:crypto'
import { link, mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { FolderLockedError, systemErrorCode } from './errors.ts'
import { pollUntil } from './polling.ts'
import { isAlive, ownIdentity, parseIdentity } from './process/process-identity.ts'

const EVERY_MS = 20
const PATIENCE_MS = 180_000
const TICKET = 'ticket-'

/**
 * Runs an action under a lock of the folder, exclusive across processes and calls. A lock whose holder was
 * killed is taken over immediately. In `<folder>/lock` each holder has a numbered file; the highest number
 * holds the lock, unless its file is empty (released) or its process has ended. A file is created atomically
 * by hard link and fails if the number is taken, so a takeover never deletes a lock that was just acquired.
 */
export async function withFolderLock<T>(
  folder: string,
  action: () => Promise<T>,
  patienceMs = PATIENCE_MS,
): Promise<T> {
  const locks = join(folder, 'lock')
  await mkdir(locks, { recursive: true, mode: 0o700 })
  const held = await acquire(folder, locks, patienceMs)
  try {
    return await action()
  } finally {
    await truncate(held).catch(ignoreMissing)
  }
}

async function acquire(folder: string, locks: string, patienceMs: number): Promise<string> {
  const ticket = join(locks, `${TICKET}${randomUUID()}`)
  await writeFile(ticket, JSON.stringify(await ownIdentity()), { flag: 'wx', mode: 0o600 })
  try {
    const held = await pollUntil({ everyMs: EVERY_MS, forMs: patienceMs }, () => tryToTake(locks, ticket))
    if (held === null) {
      const holder = await holderOf(locks, highest(await readdir(locks)))
      throw new FolderLockedError(folder, holder?.pid ?? 0, patienceMs / 1000)
    }
    await sweep(locks, held)
    return held
  } finally {
    await rm(ticket, { force: true })
  }
}

async function tryToTake(locks: string, ticket: string): Promise<string | null> {
  const last = highest(await readdir(locks))
  const holder = await holderOf(locks, last)
  if (holder !== null && (await isAlive(holder))) return null
  const own = join(locks, String(last + 1))
  try {
    await link(ticket, own)
  } catch (error) {
    if (systemErrorCode(error) === 'EEXIST') return null
    throw error
  }
  // In the meantime others may have acquired and released several numbers and removed ours.
  if (highest(await readdir(locks)) > last + 1) {
    await rm(own, { force: true })
    return null
  }
  return own
}

async function holderOf(locks: string, number: number) {
  const text = await readFile(join(locks, String(number)), 'utf8').catch(ignoreMissing)
  return text ? parseIdentity(text) : null
}

function highest(names: readonly string[]): number {
  return names.reduce((most, name) => (/^\d+$/.test(name) ? Math.max(most, Number(name)) : most), 0)
}

/** Removes lower numbers and the tickets of processes killed while waiting. */
async function sweep(locks: string, held: string): Promise<void> {
  for (const name of await readdir(locks)) {
    const path = join(locks, name)
    if (path === held) continue
    if (name.startsWith(TICKET)) {
      const waiting = parseIdentity((await readFile(path, 'utf8').catch(ignoreMissing)) ?? '')
      if (waiting === null || (await isAlive(waiting))) continue
    }
    await rm(path, { force: true })
  }
}

function ignoreMissing(error: unknown): undefined {
  if (systemErrorCode(error) === 'ENOENT') return undefined
  throw error
}
