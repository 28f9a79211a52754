import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { isAlive, ownIdentity, type ProcessIdentity, parseIdentity } from './process-identity.ts'

const folderOf = (folder: string) => join(folder, 'users')

/** Notes that this process uses the server in the folder; the answer takes the note back. */
export async function registerUser(folder: string): Promise<() => Promise<void>> {
  await mkdir(folderOf(folder), { recursive: true, mode: 0o700 })
  const note = join(folderOf(folder), `${process.pid}-${randomUUID()}`)
  await writeFile(note, JSON.stringify(await ownIdentity()), { flag: 'wx', mode: 0o600 })
  return () => rm(note, { force: true })
}

/** The processes that use the server now. Notes of processes that have ended are removed on the way. */
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
