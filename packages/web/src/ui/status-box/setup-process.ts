import type { StatusInfo } from '@gatehouse/contract/directory/users'

/** How far the set-up of an object is; every kind of object reports it in this form. */
export type SetupProcess = Pick<StatusInfo, 'process' | 'processState' | 'isDone'>

/** An answer to a status call; after a push it also says how that went. */
export type SetupAnswer = SetupProcess & { status?: 'success' | 'error'; message?: string }

type Step = SetupProcess['process'][number]

/** What the box shows of a process. */
export interface SetupProgress {
  percent: number
  /** The first unfinished step. */
  current: Step | undefined
  /** Only the owner of the domain can go on from here. */
  needsOwner: boolean
}

/** Reads percent and current step from a process; specification "Status box". */
export function setupProgress({ process }: SetupProcess): SetupProgress {
  const done = process.filter((step) => step.state).length
  const current = process.find((step) => !step.state)
  return {
    percent: process.length > 0 ? Math.floor((done / process.length) * 100) : 0,
    current,
    needsOwner: current?.label === 'domain-confirmed',
  }
}
