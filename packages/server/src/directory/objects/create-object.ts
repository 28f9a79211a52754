import { defaultLanguage, isLanguage } from '@gatehouse/contract/language'
import { type Actor, audit } from '../../platform/audit.ts'
import type { Clock } from '../../platform/clock.ts'
import { type Db, isUniqueViolation } from '../../platform/db/database.ts'
import { type FieldMessages, Forbidden, message, ValidationError } from '../../platform/http/errors.ts'
import { provision } from '../../platform/provision/provision.ts'
import { requireWithinCeiling } from '../../subscriptions/ceiling.ts'
import { holdWallet } from '../../subscriptions/entitlement-store.ts'
import { assignOwnSku } from '../../subscriptions/entitlements.ts'
import type { AccountView } from '../../users/account-view/account-view.ts'
import { accountOf } from '../../users/account-view/account-view.ts'
import { checkOwnDomain } from '../../users/addresses/new-address.ts'
import { AddressTaken, claimAddress } from '../../users/create-user.ts'
import { holdUser } from '../../users/member-store.ts'
import type { DirectoryParts } from '../directory-parts.ts'
import { insertObject, type NewObject } from './object-store.ts'

export interface Creation {
  /** The account that it will belong to. */
  readonly account: AccountView
  readonly object: Omit<NewObject, 'tenantId' | 'walletId'>
  /** Addresses beside the object's own. */
  readonly aliases?: readonly string[]
  readonly actor: Actor
  /** Why, for the record. */
  readonly comment?: string
  /** Field of the form where errors of the domain are shown. */
  readonly domainField: string
  /** The error of an address that somebody else took a moment earlier. */
  readonly onTaken: (address: string) => Readonly<Record<string, FieldMessages>>
  /** Writes what only this kind has; returns what the record of changes says beside name and address. */
  readonly fill: (trx: Db, id: number, email: string) => Promise<Readonly<Record<string, unknown>>>
}

/**
 * Creates a distribution list, resource or shared folder in an account, with its addresses, its entitlement and
 * its entry in the record of changes: all of it or nothing. Returns its number. Throws ValidationError for what
 * shows only now: name or address are taken meanwhile, the domain is gone, the SKU is not on sale.
 */
export function createObject(
  parts: Pick<DirectoryParts, 'db' | 'clock'>,
  creation: Creation,
): Promise<number> {
  return parts.db
    .transaction()
    .execute((trx) => createObjectIn(trx, parts.clock, creation))
    .catch((error: unknown) => {
      if (error instanceof AddressTaken) throw new ValidationError(creation.onTaken(error.address))
      throw nameTaken(error)
    })
}

/** The error at the field when a name met another one in the database; any other error as it is. */
export function nameTaken(error: unknown): unknown {
  return isUniqueViolation(error, 'directory_objects_name')
    ? new ValidationError({ name: [message('directory.nameexists')] })
    : error
}

/** The same in a transaction of the caller's. Throws also AddressTaken and violations of unique keys. */
export async function createObjectIn(trx: Db, clock: Clock, creation: Creation): Promise<number> {
  const { account, object, aliases = [] } = creation
  const { kind } = object
  const walletId = account.wallet.id
  const { tenantId, ownerId } = accountOf(account)
  await holdWallet(trx, walletId)
  // the account, or its domain, may have been deleted since they were looked at
  if (!(await holdUser(trx, ownerId))) throw new Forbidden()
  const domain = await checkOwnDomain(trx, { tenantId, ownerId }, object.domain)
  if (domain.namespace === undefined) throw new ValidationError({ [creation.domainField]: domain.problem })
  const id = await insertObject(trx, clock, { ...object, tenantId, walletId })
  const email = object.email(id)
  // in one order for all writers, so that two who want the same addresses never wait for each other in a ring
  for (const address of [email, ...aliases].sort()) {
    const row = { address, objectId: id, tenantId }
    await claimAddress(trx, { ...row, kind: address === email ? kind : 'folder-alias' })
  }
  await assignOwnSku(trx, clock, { type: kind, id, tenantId }, walletId)
  const { language } = account.user
  await requireWithinCeiling(trx, walletId, 'skus', isLanguage(language) ? language : defaultLanguage)
  const after = await creation.fill(trx, id, email)
  await audit(trx, clock, {
    tenantId,
    objectType: kind,
    objectId: id,
    event: `${kind}.created`,
    actor: creation.actor,
    ...(creation.comment !== undefined && { comment: creation.comment }),
    data: { after: { name: object.name, email, ...after } },
  })
  await provision(trx, { kind, id })
  return id
}
