import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { isAlive, ownIdentity, type ProcessIdentity, parseIdentity } from './process-identity.ts'

const folderOf = (folder: string) => join(folder, 'users')

/** Registers this process as a user of the folder's server; returns a function that unregisters it. */
export async function registerUser(folder: string): Promise<() => Promise<void>> {
  await mkdir(folderOf(folder), { recursive: true, mode: 0o700 })
  const note = join(folderOf(folder), `${process.pid}-${randomUUID()}`)
  await writeFile(note, JSON.stringify(await ownIdentity()), { flag: 'wx', mode: 0o600 })
  return () => rm(note, { force: true })
}

/** Returns the processes using the server. Removes records of ended processes. */
export async function livingUsers(folder: string): Promise<ProcessIdentity[]> {
  const living: ProcessIdentity[] = []
  for (const name of await readdir(folderOf(folder)).catch(() => [])) {
    const note = join(folderOf(folder), name)
    const user = parseIdentity(await readFile(note, 'utf8').catch(() => ''))
    if (user !== null && (await isAlive(user))) living.push(user)
    else await rm(note, { force: true })
  }
  return living
}
