import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'

import { PlacementError } from './errors.ts'
import { ensurePrivateFolder } from './placement.ts'
import type { RunAs } from './process/run-command.ts'
import { canEnter } from './process/system-user.ts'
import { SOCKET_PORT } from './settings.ts'

/** The kernel's limit for a socket path, without the terminating zero byte. */
export const LONGEST_SOCKET_PATH = process.platform === 'linux' ? 107 : 103

/** Returns whether the socket's full path fits if it is in the folder. */
export function fitsSocket(folder: string): boolean {
  return Buffer.byteLength(join(folder, `.s.PGSQL.${SOCKET_PORT}`)) <= LONGEST_SOCKET_PATH
}

/**
 * Returns the folder of the socket, accessible only to the server's user: `run` next to the data, or, if its
 * path is too long for a socket, a short temporary folder, the same as last time if possible.
 */
export async function chooseSocketFolder(options: {
  place: string
  recorded: string | undefined
  runAs: RunAs | null
  temporary: readonly string[]
}): Promise<string> {
  const { place, recorded, runAs, temporary } = options
  const beside = join(place, 'run')
  if (fitsSocket(beside)) {
    if (await ensurePrivateFolder(beside, runAs)) return beside
    throw new PlacementError(
      `${beside} is not a folder that only PostgreSQL’s user can access. Delete it. It is created again at the next start.`,
    )
  }
  // In a world-writable folder another user may have taken the name, so it is verified.
  if (recorded !== undefined && fitsSocket(recorded) && (await ensurePrivateFolder(recorded, runAs)))
    return recorded
  for (const parent of temporary) {
    if (!fitsSocket(join(parent, 'gatehouse-pg-XXXXXX'))) continue
    if (runAs !== null && !(await canEnter(parent, runAs))) continue
    const made = await mkdtemp(join(parent, 'gatehouse-pg-')).catch(() => null)
    if (made === null) continue
    // Recreated so that it belongs to the server's user from the start.
    await rm(made, { recursive: true })
    if (await ensurePrivateFolder(made, runAs)) return made
  }
  throw new PlacementError(
    `The path of ${place} is too long for a socket, and none of ${temporary.join(', ')} can hold one. Use a data folder with a shorter path, or set TMPDIR.`,
  )
}
