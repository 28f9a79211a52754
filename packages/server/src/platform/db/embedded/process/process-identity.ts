import { readFile } from 'node:fs/promises'

import { runCommand } from './run-command.ts'

/** A process, distinguished from a later one with the same id. */
export interface ProcessIdentity {
  readonly pid: number
  readonly started: string
}

/** Process information of the kernel; systems without it use `ps`. */
const PROC = '/proc'

/**
 * Returns the process with an id; null if there is none. A zombie counts as ended: its parent hasn't reaped it
 * yet, which in a container without an init process may never happen.
 */
export async function identifyProcess(pid: number, proc = PROC): Promise<ProcessIdentity | null> {
  const boot = await readFile(`${proc}/sys/kernel/random/boot_id`, 'utf8').catch(() => null)
  if (boot === null) return identifyByPs(pid)
  const stat = await readFile(`${proc}/${pid}/stat`, 'utf8').catch(() => null)
  if (stat === null) return null
  // The second field is the program's name in parentheses, which may itself contain spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const state = fields[0]
  const startTicks = fields[19]
  if (state === undefined || startTicks === undefined || state === 'Z' || state === 'X') return null
  // Ticks are relative to boot, so the boot has to be identified too.
  return { pid, started: `${boot.trim()}/${startTicks}` }
}

async function identifyByPs(pid: number): Promise<ProcessIdentity | null> {
  const { code, output, spawnError } = await runCommand('ps', [
    '-o',
    'stat=',
    '-o',
    'lstart=',
    '-p',
    String(pid),
  ])
  if (spawnError !== null) return acceptsSignals(pid) ? { pid, started: '' } : null
  const [state, ...started] = output.trim().split(/\s+/)
  if (code !== 0 || !state || state.startsWith('Z')) return null
  return { pid, started: started.join(' ') }
}

/** Returns whether any process, even a zombie, has the id, which is all PostgreSQL itself checks. */
export function acceptsSignals(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // A lack of permission means that it exists.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** Returns whether that exact process is still running. */
export async function isAlive(identity: ProcessIdentity, proc = PROC): Promise<boolean> {
  const now = await identifyProcess(identity.pid, proc)
  return now !== null && now.started === identity.started
}

/** Returns the identity of this process. */
export async function ownIdentity(): Promise<ProcessIdentity> {
  return (await identifyProcess(process.pid)) ?? { pid: process.pid, started: '' }
}

/** Parses a stored identity; null if invalid. */
export function parseIdentity(text: string): ProcessIdentity | null {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null || !('pid' in value) || !('started' in value)) return null
    const { pid, started } = value
    if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid <= 0 || typeof started !== 'string')
      return null
    return { pid, started }
  } catch {
    return null
  }
}

/** Returns the process's command line as arguments; null if it can't be read. */
export async function commandLine(pid: number, proc = PROC): Promise<readonly string[] | null> {
  const raw = await readFile(`${proc}/${pid}/cmdline`, 'utf8').catch(() => null)
  if (raw !== null) return raw.split('\0').filter((word) => word !== '')
  const { code, output } = await runCommand('ps', ['-o', 'command=', '-p', String(pid)])
  return code === 0 ? output.trim().split(/\s+/) : null
}
