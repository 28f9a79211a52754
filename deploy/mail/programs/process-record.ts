import { readFile, writeFile } from 'node:fs/promises'

/** A process, told from a later one with the same id by its start time. */
interface ProcessRecord {
  readonly pid: number
  readonly started: string
}

/** Writes which process serves something. */
export async function recordProcess(file: string, pid: number): Promise<void> {
  await writeFile(file, `${pid} ${(await startTime(pid)) ?? ''}\n`)
}

/** Returns the id of a recorded process, or undefined if it has ended. */
export async function runningProcess(file: string): Promise<number | undefined> {
  const record = await readRecord(file)
  return record !== undefined && (await startTime(record.pid)) === record.started ? record.pid : undefined
}

/** Kills the children that a recorded process has left behind when it was killed. They still hold its ports. */
export async function endOrphans(file: string): Promise<void> {
  const record = await readRecord(file)
  if (record !== undefined && (await startTime(record.pid)) === undefined) endGroup(record.pid)
}

/** Kills a process group at once. Its id isn't used for another process as long as the group has members. */
export function endGroup(id: number): void {
  try {
    process.kill(-id, 'SIGKILL')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

async function readRecord(file: string): Promise<ProcessRecord | undefined> {
  const [pid, started = ''] = (await readFile(file, 'utf8').catch(() => '')).trim().split(/\s+/)
  const id = Number(pid)
  return Number.isInteger(id) && id > 1 ? { pid: id, started } : undefined
}

/** Clock ticks since the machine started; undefined: no such process, or it has ended. */
async function startTime(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // the name of the program may contain blanks and parentheses
  const [state, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return state === '' || state === 'Z' ? undefined : rest[18]
}
