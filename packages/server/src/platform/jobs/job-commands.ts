import { jobStates } from '@gatehouse/contract/staff/operations'
import { type Command, UsageError } from '../cli/command.ts'
import { wireDate } from '../clock.ts'
import { countJobs, dropJob, listJobs, retryJob } from './job-store.ts'

/** Commands for waiting and failed jobs. */
export const jobCommands: readonly Command[] = [
  {
    name: 'job:list',
    usage: `job:list [${jobStates.join(' | ')}]`,
    summary: 'list the jobs in the queue, failed ones first',
    needs: 0,
    async run({ args, db, print, answer }) {
      const state = jobStates.find((name) => name === args[0])
      if (state === undefined && args[0] !== undefined) {
        throw new UsageError(`${args[0]} is not one of ${jobStates.join(', ')}.`)
      }
      const row = answer.list()
      for (const job of await listJobs(db, { state }, { limit: 200, offset: 0 })) {
        const tries = `${job.attempts}/${job.maxAttempts}`
        const { id, name, attempts, maxAttempts, runAt, error } = job
        row(
          { id, name, state: job.state, attempts, maxAttempts, runAt, error },
          `${job.id}  ${job.name}  ${job.state}  ${tries}  ${wireDate(job.runAt)}  ${job.error ?? ''}`.trim(),
        )
      }
      const counts = await countJobs(db)
      print(jobStates.map((name) => `${name}: ${counts[name]}`).join(', '))
    },
  },
  {
    name: 'job:retry',
    usage: 'job:retry <id>',
    summary: 'run a job now; a dead job gets all its retries again',
    needs: 1,
    async run({ args, db, print }) {
      const name = await retryJob(db, args[0] ?? '')
      if (name === undefined) throw new UsageError(`There is no job ${args[0]}, or it is running.`)
      print(`${name} will be retried now.`)
    },
  },
  {
    name: 'job:drop',
    usage: 'job:drop <id>',
    summary: 'remove a job from the queue',
    needs: 1,
    async run({ args, db, print }) {
      const name = await dropJob(db, args[0] ?? '')
      if (name === undefined) throw new UsageError(`There is no job ${args[0]}, or it is running.`)
      print(`${name} was removed.`)
    },
  },
]
