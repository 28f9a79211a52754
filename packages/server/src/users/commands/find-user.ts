import { type CommandContext, UsageError } from '../../platform/cli/command.ts'
import { said } from '../../platform/cli/said.ts'
import type { Db } from '../../platform/db/database.ts'
import { requirePaid } from '../access.ts'
import type { AccountView } from '../account-view/account-view.ts'
import { readAnyAccountView } from '../account-view/account-view-store.ts'
import { type EmailAddress, parseEmailAddress } from '../addresses/email-address.ts'
import { type FoundUser, userOfAddress } from './look-up-store.ts'

/** An argument that must be a mail address. Throws UsageError. */
export function readEmail(text: string | undefined): EmailAddress {
  const email = parseEmailAddress(text ?? '')
  if (email === undefined) throw new UsageError(`${text} is not a valid e-mail address.`)
  return email
}

/** The user of an address who isn't deleted. Throws UsageError. */
export async function findUser(db: Db, text: string | undefined): Promise<FoundUser> {
  const email = readEmail(text).full
  const user = await userOfAddress(db, email)
  if (user === undefined || user.deletedAt !== null) throw new UsageError(`There is no user ${email}.`)
  return user
}

/** The user of an address, deleted or not. Throws UsageError. */
export async function findView({ db }: CommandContext, text: string | undefined): Promise<AccountView> {
  const email = parseEmailAddress(text ?? '')?.full
  const row = email === undefined ? undefined : await userOfAddress(db, email)
  const view = row && (await readAnyAccountView(db, row.id))
  if (view === undefined) throw new UsageError(`There is no user ${text}.`)
  return view
}

/** The account that a new object goes to, by the address of its owner. Throws UsageError. */
export async function findAccount(
  context: CommandContext,
  address: string | undefined,
): Promise<AccountView> {
  if (address === undefined) throw new UsageError('Name the owner of the account: --owner=<address>')
  const view = await findView(context, address)
  if (view.user.deletedAt !== null || view.owner?.id !== view.user.id) {
    throw new UsageError(`${address} owns no account.`)
  }
  try {
    requirePaid(view)
  } catch (error) {
    said(error)
  }
  return view
}
