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

/** Bytes on the disk of a folder: those that an unprivileged user can still write, and all. */
export interface DiskSpace {
  readonly free: number
  readonly size: number
}

/** Returns the space on the disk of a folder; undefined if unknown. */
export async function diskSpace({ path }: WatchedFolder): Promise<DiskSpace | undefined> {
  return statfs(path).then(
    ({ bavail, blocks, bsize }) => ({ free: bavail * bsize, size: blocks * bsize }),
    () => undefined,
  )
}

/** Returns the names of full folders. */
export async function fullFolders(folders: readonly WatchedFolder[]): Promise<string[]> {
  const spaces = await Promise.all(folders.map(diskSpace))
  return folders
    .filter((_, index) => (spaces[index]?.free ?? leastFreeBytes) < leastFreeBytes)
    .map(({ name }) => name)
}
