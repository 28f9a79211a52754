import { NoSystemUserError } from '../errors.ts'
import { type RunAs, runCommand } from './run-command.ts'

/** The user created when the machine has no `postgres`. */
export const CREATED_USER = 'gatehouse-pg'

/** What choosing a user asks of the machine. */
export interface UserDirectory {
  find(name: string): Promise<RunAs | null>
  create(name: string): Promise<void>
}

/** The users of this machine, as `id` and `useradd` know them. */
export const machineUsers: UserDirectory = {
  async find(name) {
    const uid = await numericId('-u', name)
    const gid = await numericId('-g', name)
    return uid === null || gid === null || uid === 0 ? null : { name, uid, gid }
  },
  async create(name) {
    // Where useradd is absent or refuses, the next name is tried.
    await runCommand('useradd', ['--system', '--no-create-home', '--shell', '/usr/sbin/nologin', name])
  },
}

async function numericId(flag: '-u' | '-g', name: string): Promise<number | null> {
  const { code, output } = await runCommand('id', [flag, name])
  return code === 0 && /^\d+\s*$/.test(output) ? Number(output) : null
}

/**
 * The user PostgreSQL runs as when this process is root: `postgres` if there is one, else a system
 * user of our own, created when absent, else `nobody`.
 */
export async function chooseSystemUser(users: UserDirectory = machineUsers): Promise<RunAs> {
  for (const name of ['postgres', CREATED_USER]) {
    const user = await users.find(name)
    if (user !== null) return user
  }
  await users.create(CREATED_USER)
  for (const name of [CREATED_USER, 'nobody']) {
    const user = await users.find(name)
    if (user !== null) return user
  }
  throw new NoSystemUserError()
}

/** Whether a user may enter the folder, all its parents included. */
export async function canEnter(folder: string, runAs: RunAs): Promise<boolean> {
  return (await runCommand('test', ['-x', folder], runAs)).code === 0
}
