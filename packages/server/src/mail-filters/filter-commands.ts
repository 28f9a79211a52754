import { type Command, CommandFailed, UsageError } from '../platform/cli/command.ts'
import { wireDate } from '../platform/clock.ts'
import { findView } from '../users/commands/find-user.ts'
import { readFilters } from './filter-store.ts'
import { filterState } from './present.ts'
import { type SieveSettings, sieveAccess } from './sieve-access.ts'
import { enqueueUpload, scriptOf } from './upload-job.ts'

/** Filters of incoming mail. */
export const filterCommands: readonly Command<SieveSettings>[] = [
  {
    name: 'mail-filters:show',
    usage: 'mail-filters:show <address>',
    summary: "show a user's mail filters as the mail server gets them, and whether it uses them",
    needs: 1,
    async run(context) {
      const { config, db, answer } = context
      const { user } = await findActive(context)
      const stored = await readFilters(db, user.id)
      const state = filterState(stored, sieveAccess(config) !== undefined)
      const lines = [`${user.email}: ${state}${stored?.problem ? `: ${stored.problem}` : ''}`]
      if (stored?.otherScript) lines.push(`active script: ${stored.otherScript}`)
      if (stored?.uploadedAt) lines.push(`last uploaded: ${wireDate(stored.uploadedAt)}`)
      const script = stored && (await scriptOf(db, stored, user))
      if (script === undefined) lines.push('No filters.')
      for (const line of script?.trimEnd().split('\r\n') ?? []) lines.push(`  ${line}`)
      const { problem = null, otherScript = null, uploadedAt = null } = stored ?? {}
      const facts = { email: user.email, state, problem, otherScript, uploadedAt, script: script ?? null }
      answer.record(facts, lines)
    },
  },
  {
    name: 'mail-filters:upload',
    usage: 'mail-filters:upload <address>',
    summary: "upload a user's mail filters to the mail server again",
    needs: 1,
    async run(context) {
      const { config, db, print } = context
      const { user } = await findActive(context)
      if (sieveAccess(config) === undefined) throw new CommandFailed('No mail server is connected.')
      if ((await readFilters(db, user.id)) === undefined) {
        throw new CommandFailed(`${user.email} has no filters.`)
      }
      await enqueueUpload(db, user.id)
      print(`${user.email}: upload started`)
    },
  },
]

async function findActive(context: Parameters<typeof findView>[0]) {
  const view = await findView(context, context.args[0])
  if (view.user.deletedAt !== null) throw new UsageError(`There is no user ${context.args[0]}.`)
  return view
}
