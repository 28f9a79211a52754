import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'

/** A process of Cyrus that serves a user. */
export interface StoreProcess {
  readonly id: number
  readonly user: string
}

/** Programs that people stay connected to. DAV asks about each request. */
const programs = new Set(['imapd', 'pop3d', 'timsieved'])

/**
 * Lists the processes of Cyrus that serve users, other than its administrator. Cyrus writes a file for each, named
 * by its id, in the folder `proc_path`.
 */
export async function listStoreProcesses(folder: string): Promise<StoreProcess[]> {
  const names = (await readdir(folder)).filter((name) => /^\d+$/.test(name))
  const found = await Promise.all(names.map((name) => readProcess(folder, name)))
  return found.flatMap((process) => process ?? [])
}

/** Ends a process. It tells its client, and releases what it has locked. */
export function endStoreProcess(id: number): void {
  try {
    process.kill(id, 'SIGTERM')
  } catch (error) {
    // it has ended meanwhile
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

async function readProcess(folder: string, name: string): Promise<StoreProcess | undefined> {
  // the client may sign out at any time
  const text = await readFile(join(folder, name), 'utf8').catch(() => '')
  const [, , user = ''] = text.split('\t')
  if (!user.includes('@')) return undefined
  // a process that was killed leaves its file, and another program may have its id
  const command = await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '')
  const program = basename(command.split('\0')[0] ?? '')
  return programs.has(program) ? { id: Number(name), user: user.toLowerCase() } : undefined
}
