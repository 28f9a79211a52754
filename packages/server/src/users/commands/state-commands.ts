import { suspensionReasons } from '@gatehouse/contract/staff/staff-views'
import { atCommandLine, type Command, UsageError } from '../../platform/cli/command.ts'
import { type StateAct, suspendUser, unrestrictAccount, unsuspendUser } from '../account-state.ts'
import { isSuspensionReason } from '../suspension.ts'
import { findUser } from './find-user.ts'

/** Creates a command that changes a user's state with the given action. */
export const stateCommand = (name: string, summary: string, act: StateAct): Command => ({
  name: `user:${name}`,
  usage: `user:${name} <address>`,
  summary,
  needs: 1,
  async run({ args, db, clock, print }) {
    const user = await findUser(db, args[0])
    await db.transaction().execute((trx) => act(trx, clock, user.id, atCommandLine))
    print(`${user.email}: ${name}`)
  },
})

const suspendCommand: Command = {
  name: 'user:suspend',
  usage: `user:suspend <address> [${suspensionReasons.join('|')}] [comment]`,
  summary: 'suspend a user; only unpaid is lifted automatically, when the debt is paid',
  needs: 1,
  async run({ args: [email, reason = 'other', ...words], db, clock, print }) {
    const user = await findUser(db, email)
    if (!isSuspensionReason(reason)) {
      throw new UsageError(`The reason must be one of ${suspensionReasons.join(', ')}.`)
    }
    const comment = words.join(' ') || atCommandLine.comment
    await db.transaction().execute((trx) => suspendUser(trx, clock, user.id, { actor: {}, comment, reason }))
    print(`${user.email}: suspend`)
  },
}

/** Suspensions and restrictions of users. */
export const stateCommands: readonly Command[] = [
  suspendCommand,
  stateCommand('unsuspend', 'lift the suspension of a user', unsuspendUser),
  stateCommand('unrestrict', 'lift the limits for accounts that have never paid', unrestrictAccount),
]
