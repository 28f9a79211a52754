import { readFile } from 'node:fs/promises'

/** Reads the ids of a user and its group on this machine. */
export async function idsOf(name: string): Promise<{ readonly user: number; readonly group: number }> {
  const line = (await readFile('/etc/passwd', 'utf8')).split('\n').find((one) => one.startsWith(`${name}:`))
  const [, , user, group] = line?.split(':') ?? []
  if (user === undefined || group === undefined) throw new Error(`the user ${name} does not exist`)
  return { user: Number(user), group: Number(group) }
}
