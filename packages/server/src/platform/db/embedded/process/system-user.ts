import { NoSystemUserError } from '../errors.ts'
import { type RunAs, runCommand } from './run-command.ts'

/** The user created if the machine has no `postgres`. */
export const CREATED_USER = 'gatehouse-pg'

/** Operations needed for choosing a user. */
export interface UserDirectory {
  find(name: string): Promise<RunAs | null>
  create(name: string): Promise<void>
}

/** The users of this machine, using `id` and `useradd`. */
export const machineUsers: UserDirectory = {
  async find(name) {
    const uid = await numericId('-u', name)
    const gid = await numericId('-g', name)
    return uid === null || gid === null || uid === 0 ? null : { name, uid, gid }
  },
  async create(name) {
    // If useradd is missing or fails, the next name is tried.
    await runCommand('useradd', ['--system', '--no-create-home', '--shell', '/usr/sbin/nologin', name])
  },
}

async function numericId(flag: '-u' | '-g', name: string): Promise<number | null> {
  const { code, output } = await runCommand('id', [flag, name])
  return code === 0 && /^\d+\s*$/.test(output) ? Number(output) : null
}

/**
 * Returns the user for PostgreSQL if this process is root: `postgres` if it exists, else our own system user,
 * created if missing, else `nobody`.
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

/** Returns whether a user can access the folder, including all its parents. */
export async function canEnter(folder: string, runAs: RunAs): Promise<boolean> {
  return (await runCommand('test', ['-x', folder], runAs)).code === 0
}
