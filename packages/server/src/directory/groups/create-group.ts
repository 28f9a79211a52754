import type { groupRoutes, newGroupInput } from '@gatehouse/contract/directory/groups'
import type { z } from 'zod'
import type { Actor } from '../../platform/audit.ts'
import type { Db } from '../../platform/db/database.ts'
import type { LateContext } from '../../platform/http/call.ts'
import { message, ValidationError } from '../../platform/http/errors.ts'
import { type Read, together, valueIn } from '../../platform/http/validation.ts'
import type { AccountView } from '../../users/account-view/account-view.ts'
import { accountOf } from '../../users/account-view/account-view.ts'
import { actorOf } from '../../users/actor.ts'
import type { EmailAddress } from '../../users/addresses/email-address.ts'
import type { AddressCheck } from '../../users/addresses/new-address.ts'
import type { ObjectParts } from '../directory-parts.ts'
import { type Creation, createObject } from '../objects/create-object.ts'
import { requireCreator } from '../objects/object-access.ts'
import { atName, checkName } from '../objects/object-name.ts'
import { checkEmail } from '../users/user-input.ts'
import { checkMembers, nestingErrors, requireInsiders } from './check-members.ts'
import { changeMembers } from './member-store.ts'

type Context = LateContext<(typeof groupRoutes)['POST /api/v4/groups']>

/** A validated distribution list to be created. */
export interface CheckedGroup {
  readonly email: EmailAddress
  readonly name: string
  /** Members with their positions in the input. */
  readonly places: ReadonlyMap<string, number>
}

/** Creates a distribution list in the caller's account; reference api-objects §9. Returns its id. */
export async function createGroup(parts: ObjectParts, context: Context): Promise<number> {
  const account = await requireCreator(parts, context.principal, 'group', context)
  const group = await checkGroup(parts.db, account, context.read)
  const owner = { ...accountOf(account), walletId: account.wallet.id }
  await requireInsiders(parts.db, context.principal, owner, [...group.places.keys()])
  return createObject(parts, groupCreation(account, group, actorOf(context.principal, context)))
}

/** Validates all fields. Throws ValidationError. */
export async function checkGroup(
  db: Db,
  account: AccountView,
  read: Read<z.output<typeof newGroupInput>>,
  checkAddresses?: AddressCheck,
): Promise<CheckedGroup> {
  const owner = accountOf(account)
  const { found } = await read(async (fields) => {
    const email = await checkEmail(db, { ...owner, ownDomainsOnly: true }, fields.email, checkAddresses)
    const { domain, full } = valueIn(email) ?? {}
    const name = atName(await checkName(db, { kind: 'group', domain, text: fields.name }))
    return together({}, { email, name, places: await checkMembers(db, owner, full, fields.members ?? []) })
  })
  return found
}

/** Returns the creation of a validated list. */
export function groupCreation(
  account: AccountView,
  { email, name, places }: CheckedGroup,
  actor: Actor,
): Creation {
  return {
    account,
    actor,
    object: { kind: 'group', domain: email.domain, email: () => email.full, name },
    domainField: 'email',
    onTaken: () => ({ email: message('validation.entryexists') }),
    fill: async (trx, id) => {
      const added = [...places.keys()]
      const loops = await nestingErrors(trx, email.full, places)
      if (loops.size > 0) throw new ValidationError({ members: loops })
      await changeMembers(trx, id, { removed: [], added })
      return { members: added.length }
    },
  }
}
