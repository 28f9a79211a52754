import type { StatusInfo } from '@gatehouse/contract/directory/users'

/** Setup progress of an object; the same for every kind of object. */
export type SetupProcess = Pick<StatusInfo, 'process' | 'processState' | 'isDone'>

/** Response to a status call; after a restart, it includes the outcome of that. */
export type SetupAnswer = SetupProcess & { status?: 'success' | 'error'; message?: string }

type Step = SetupProcess['process'][number]

/** What the box shows of a process. */
export interface SetupProgress {
  percent: number
  /** The first unfinished step. */
  current: Step | undefined
  /** Only the owner of the domain can continue. */
  needsOwner: boolean
}

/** Returns percent and current step of a process; specification "Status box". */
export function setupProgress({ process }: SetupProcess): SetupProgress {
  const done = process.filter((step) => step.state).length
  const current = process.find((step) => !step.state)
  return {
    percent: process.length > 0 ? Math.floor((done / process.length) * 100) : 0,
    current,
    needsOwner: current?.label === 'domain-confirmed',
  }
}
