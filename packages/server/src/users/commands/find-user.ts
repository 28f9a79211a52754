import { type CommandContext, UsageError } from '../../platform/cli/command.ts'
import { said } from '../../platform/cli/said.ts'
import type { Db } from '../../platform/db/database.ts'
import { requirePaid } from '../access.ts'
import type { AccountView } from '../account-view/account-view.ts'
import { readAnyAccountView } from '../account-view/account-view-store.ts'
import { type EmailAddress, parseEmailAddress } from '../addresses/email-address.ts'
import { type FoundUser, userOfAddress } from './look-up-store.ts'

/** Parses an e-mail address argument. Throws UsageError. */
export function readEmail(text: string | undefined): EmailAddress {
  const email = parseEmailAddress(text ?? '')
  if (email === undefined) throw new UsageError(`${text} is not a valid e-mail address.`)
  return email
}

/** Finds a user who isn't deleted by address. Throws UsageError. */
export async function findUser(db: Db, text: string | undefined): Promise<FoundUser> {
  const email = readEmail(text).full
  const user = await userOfAddress(db, email)
  if (user === undefined || user.deletedAt !== null) throw new UsageError(`There is no user ${email}.`)
  return user
}

/** Finds a user by address, including deleted ones. Throws UsageError. */
export async function findView({ db }: CommandContext, text: string | undefined): Promise<AccountView> {
  const email = parseEmailAddress(text ?? '')?.full
  const row = email === undefined ? undefined : await userOfAddress(db, email)
  const view = row && (await readAnyAccountView(db, row.id))
  if (view === undefined) throw new UsageError(`There is no user ${text}.`)
  return view
}

/** Finds the account for a new object by its owner's address. Throws UsageError. */
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
