import { statfs } from 'node:fs/promises'

/**
 * Free bytes below which a folder counts as full: the embedded database needs space to write its WAL and
 * recover.
 */
export const leastFreeBytes = 32 * 1024 * 1024

/** A folder that the server writes to, with its display name. */
export interface WatchedFolder {
  readonly name: string
  readonly path: string
}

/** Returns the bytes an unprivileged user can still write below a folder; undefined if unknown. */
export async function freeBytes({ path }: WatchedFolder): Promise<number | undefined> {
  return statfs(path).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => undefined,
  )
}

/** Returns the names of full folders. */
export async function fullFolders(folders: readonly WatchedFolder[]): Promise<string[]> {
  const free = await Promise.all(folders.map(freeBytes))
  return folders
    .filter((_, index) => (free[index] ?? leastFreeBytes) < leastFreeBytes)
    .map(({ name }) => name)
}
