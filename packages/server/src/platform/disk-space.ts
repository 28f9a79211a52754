import { statfs } from 'node:fs/promises'

/** Bytes below which a folder counts as full: the embedded database needs some room to write its log and recover. */
export const leastFreeBytes = 32 * 1024 * 1024

/** A folder that the server writes to, by the name that operators read. */
export interface WatchedFolder {
  readonly name: string
  readonly path: string
}

/** Bytes that an ordinary user may still write below a folder; undefined where the system can't tell. */
export async function freeBytes({ path }: WatchedFolder): Promise<number | undefined> {
  return statfs(path).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => undefined,
  )
}

/** Names of the folders that are full. */
export async function fullFolders(folders: readonly WatchedFolder[]): Promise<string[]> {
  const free = await Promise.all(folders.map(freeBytes))
  return folders
    .filter((_, index) => (free[index] ?? leastFreeBytes) < leastFreeBytes)
    .map(({ name }) => name)
}
