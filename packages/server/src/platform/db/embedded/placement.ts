import { createHash } from 'node:crypto'
import { chmod, chown, lstat, mkdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { dataFolderOf } from './cluster.ts'
import { DataOwnerError, PlacementError } from './errors.ts'
import type { EmbeddedPostgresLog } from './log.ts'
import { stopPostmaster } from './process/postmaster.ts'
import { findPostmaster } from './process/postmaster-file.ts'
import type { RunAs } from './process/run-command.ts'
import { canEnter, chooseSystemUser } from './process/system-user.ts'

/**
 * Content of `<folder>/location.json`: parts that had to be placed elsewhere. Without that file everything is
 * in the folder.
 */
export interface Location {
  /** The folder with `data`, `run` and the settings. */
  readonly place?: string
  /** The folder of the socket. */
  readonly sockets?: string
}

const locationFile = (folder: string) => join(folder, 'location.json')
const ownerFile = (place: string) => join(place, 'belongs-to.json')

/** Reads the location of a folder's database. */
export async function readLocation(folder: string): Promise<Location> {
  const record = await readJson(locationFile(folder))
  return { place: textIn(record, 'place'), sockets: textIn(record, 'sockets') }
}

/** Writes the location of a folder's database; removes the file if everything is in the folder. */
export async function writeLocation(folder: string, location: Location): Promise<void> {
  if (location.place === undefined && location.sockets === undefined)
    return rm(locationFile(folder), { force: true })
  await writeJson(locationFile(folder), location)
}

/** Creates the folder and returns its real path. */
export async function openFolder(folder: string): Promise<string> {
  await mkdir(dirname(folder), { recursive: true })
  await mkdir(folder, { recursive: true, mode: 0o700 })
  // The server's user needs to traverse the folder; private parts are protected one level below.
  if (process.getuid?.() === 0) await chmod(folder, ((await stat(folder)).mode & 0o777) | 0o711)
  return realpath(folder)
}

/**
 * Returns the user the server runs as; null for the current one. As root, it is the owner of existing data or
 * else a system user.
 */
export async function chooseUser(place: string): Promise<RunAs | null> {
  const ownUid = process.getuid?.() ?? 0
  const data = dataFolderOf(place)
  const owner = await stat(data).catch(() => null)
  if (ownUid !== 0) {
    if (owner !== null && owner.uid !== ownUid) throw new DataOwnerError(data, owner.uid, ownUid)
    return null
  }
  if (owner !== null && owner.uid !== 0)
    return { name: `user id ${owner.uid}`, uid: owner.uid, gid: owner.gid }
  return chooseSystemUser()
}

/**
 * Returns the folder for `data`, `run` and the settings: the given one, unless the server's own user can't
 * access it (e.g. a checkout below /root). Then it is `<sharedData>/<hash of the folder>`, by default below
 * /var/lib/gatehouse, as recorded in `location.json`.
 */
export async function choosePlace(options: {
  folder: string
  recorded: Location
  runAs: RunAs | null
  sharedData: string
  log: EmbeddedPostgresLog
}): Promise<string> {
  const { folder, recorded, runAs, sharedData, log } = options
  if (recorded.place !== undefined) {
    await claimPlace(folder, recorded.place)
    return recorded.place
  }
  if (runAs === null || (await canEnter(folder, runAs))) return folder
  if ((await stat(dataFolderOf(folder)).catch(() => null)) !== null)
    throw new PlacementError(
      `PostgreSQL runs as ${runAs.name}, which can no longer access its data in ${folder}. Allow access to the parent folders (chmod o+x), or move the data folder to a location it can access.`,
    )
  const place = join(sharedData, createHash('sha256').update(folder).digest('hex').slice(0, 16))
  await mkdir(sharedData, { recursive: true, mode: 0o755 })
  await setAside(place, log)
  await mkdir(place, { mode: 0o711 })
  await chmod(place, 0o711)
  await writeJson(ownerFile(place), { folder })
  if (!(await canEnter(place, runAs)))
    throw new PlacementError(
      `PostgreSQL runs as ${runAs.name}, which can access neither ${folder} nor ${place}. Allow access to the parent folders of one of them (chmod o+x).`,
    )
  log('info', 'PostgreSQL’s user has no access to the data folder; the database is stored elsewhere', {
    folder,
    place,
  })
  return place
}

/** Moves data of a deleted folder away, so that a new folder of the same name starts empty. */
async function setAside(place: string, log: EmbeddedPostgresLog): Promise<void> {
  if ((await lstat(place).catch(() => null)) === null) return
  const running = await findPostmaster(dataFolderOf(place))
  if (running !== null) await stopPostmaster(running.identity, log)
  const previous = `${place}.previous`
  await rm(previous, { recursive: true, force: true })
  await rename(place, previous)
  log('warn', 'Moved away the data of a deleted folder with the same name', { previous })
}

/** Ensures that no other folder uses the place, as would happen after copying the folder. */
async function claimPlace(folder: string, place: string): Promise<void> {
  if ((await stat(place).catch(() => null)) === null)
    throw new PlacementError(
      `The database of ${folder} is stored in ${place}, which no longer exists. Restore it from a backup, or delete ${locationFile(folder)} to start with an empty database.`,
    )
  const owner = textIn(await readJson(ownerFile(place)), 'folder')
  if (owner === folder) return
  if (owner !== undefined && (await readLocation(owner)).place === place)
    throw new PlacementError(
      `${folder} is a copy of ${owner}, and both would use the database in ${place}. Delete ${locationFile(folder)} to start the copy with an empty database.`,
    )
  await writeJson(ownerFile(place), { folder })
}

/** Creates a folder accessible only to the server's user, or verifies an existing one. */
export async function ensurePrivateFolder(path: string, runAs: RunAs | null): Promise<boolean> {
  const made = await mkdir(path, { mode: 0o700 }).then(
    () => true,
    () => false,
  )
  if (made && runAs !== null) await chown(path, runAs.uid, runAs.gid)
  const found = await lstat(path).catch(() => null)
  const owner = runAs?.uid ?? process.getuid?.()
  return found?.isDirectory() === true && found.uid === owner && (found.mode & 0o077) === 0
}

async function readJson(path: string): Promise<unknown> {
  const text = await readFile(path, 'utf8').catch(() => 'null')
  try {
    return JSON.parse(text)
  } catch {
    throw new PlacementError(`${path} is damaged (not valid JSON). Restore it from a backup.`)
  }
}

async function writeJson(path: string, value: object): Promise<void> {
  const fresh = `${path}.${process.pid}`
  await writeFile(fresh, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o644 })
  await rename(fresh, path)
}

function textIn(record: unknown, key: 'place' | 'sockets' | 'folder'): string | undefined {
  if (typeof record !== 'object' || record === null) return undefined
  const value: unknown = Reflect.get(record, key)
  return typeof value === 'string' ? value : undefined
}
