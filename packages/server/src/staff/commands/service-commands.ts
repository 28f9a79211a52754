import { atCommandLine, UsageError } from '../../platform/cli/command.ts'
import { readArguments, readNumber } from '../../platform/cli/options.ts'
import { said } from '../../platform/cli/said.ts'
import { readTenant } from '../../tenants/tenant-store.ts'
import { findView, readEmail } from '../../users/commands/find-user.ts'
import { AddressTaken } from '../../users/create-user.ts'
import { createServiceUser } from '../creation/create-service-user.ts'
import { changeUnits } from '../user-acts.ts'
import { type StaffCommand, staffParts } from './staff-command.ts'

function reasonOf(words: readonly string[]): string {
  return words.join(' ') || atCommandLine.comment
}

const serviceCommand: StaffCommand = {
  name: 'user:create-service',
  usage: 'user:create-service <address> [reason] [--tenant=<number>]',
  summary: 'create a technical user with the role service and no subscriptions, and print the password',
  needs: 1,
  async run(context) {
    const { args, config, db, clock, hasher, answer } = context
    const { words, options } = readArguments(args, ['tenant'])
    const [text = '', ...reason] = words
    const email = readEmail(text)
    const tenantId = readNumber(options.tenant) ?? 0
    if ((await readTenant(db, tenantId)) === undefined)
      throw new UsageError(`There is no tenant ${tenantId}.`)
    const { APP_LOCALE: language, APP_CURRENCY: currency } = config
    const user = { tenantId, email, language, currency, whom: 'background' } as const
    const by = { actor: {}, comment: reasonOf(reason) }
    const { password } = await createServiceUser({ db, clock, hasher }, user, by).catch(taken)
    const line = `${email.full} can sign in with the password ${password}`
    answer.record({ email: email.full, password }, [line])
  },
}

/** Adds or removes a user's units of a SKU. */
const skuCommand = (verb: 'add' | 'remove', summary: string): StaffCommand => ({
  name: `user:${verb}-sku`,
  usage: `user:${verb}-sku <address> <sku> [reason] [--units=<number>]`,
  summary,
  needs: 2,
  async run(context) {
    const { words, options } = readArguments(context.args, ['units'])
    const [address, title = '', ...reason] = words
    const view = await findView(context, address)
    if (view.user.deletedAt !== null) throw new UsageError(`There is no user ${address}.`)
    const operator = { userId: 0, tenantId: view.user.tenantId, role: 'admin' } as const
    const units = readNumber(options.units, 1) ?? 1
    const change = {
      title,
      units: verb === 'add' ? units : -units,
      isOnce: verb === 'add' && options.units === undefined,
    }
    const by = { actor: {}, comment: reasonOf(reason) }
    await changeUnits(staffParts(context), operator, view, change, by).catch(said)
    context.print(`${view.user.email}: ${verb === 'add' ? '' : 'no longer '}${title}`)
  },
})

/** Technical users, and SKUs that support staff give to users. */
export const serviceCommands: readonly StaffCommand[] = [
  serviceCommand,
  skuCommand(
    'add',
    'add a subscription to a user, even one that is not on sale, such as beta; with --units, add that many units',
  ),
  skuCommand('remove', 'remove a subscription, or a number of its units, from a user'),
]

/** Reports that the address is taken. */
function taken(error: unknown): never {
  if (error instanceof AddressTaken) throw new UsageError(`${error.address} is already taken.`)
  return said(error)
}
