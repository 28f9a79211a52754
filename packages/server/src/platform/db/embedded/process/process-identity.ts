import { readFile } from 'node:fs/promises'

import { runCommand } from './run-command.ts'

/** A process, told apart from a later one that was given the same number. */
export interface ProcessIdentity {
  readonly pid: number
  readonly started: string
}

/** Where the kernel describes processes; a system without it is asked through `ps`. */
const PROC = '/proc'

/**
 * Who runs under a process number now; null when nobody does. A zombie is nobody: it has ended, only
 * its parent has not noticed, which in a container without an init process may last for ever.
 */
export async function identifyProcess(pid: number, proc = PROC): Promise<ProcessIdentity | null> {
  const boot = await readFile(`${proc}/sys/kernel/random/boot_id`, 'utf8').catch(() => null)
  if (boot === null) return identifyByPs(pid)
  const stat = await readFile(`${proc}/${pid}/stat`, 'utf8').catch(() => null)
  if (stat === null) return null
  // The second field is the program's name in brackets, which may itself hold blanks and brackets.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const state = fields[0]
  const startTicks = fields[19]
  if (state === undefined || startTicks === undefined || state === 'Z' || state === 'X') return null
  // Ticks count from the start of the machine, so a restart needs telling apart as well.
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

/** Whether anything, be it a zombie, holds the number: all that PostgreSQL itself looks at. */
export function acceptsSignals(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // Not allowed to signal it means that it is there.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** Whether that very process still runs. */
export async function isAlive(identity: ProcessIdentity, proc = PROC): Promise<boolean> {
  const now = await identifyProcess(identity.pid, proc)
  return now !== null && now.started === identity.started
}

/** The identity of this process. */
export async function ownIdentity(): Promise<ProcessIdentity> {
  return (await identifyProcess(process.pid)) ?? { pid: process.pid, started: '' }
}

/** Reads an identity back from the text it was stored as; null when the text is none. */
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

/** The process's own command line, word by word; null when it cannot be read. */
export async function commandLine(pid: number, proc = PROC): Promise<readonly string[] | null> {
  const raw = await readFile(`${proc}/${pid}/cmdline`, 'utf8').catch(() => null)
  if (raw !== null) return raw.split('\0').filter((word) => word !== '')
  const { code, output } = await runCommand('ps', ['-o', 'command=', '-p', String(pid)])
  return code === 0 ? output.trim().split(/\s+/) : null
}
