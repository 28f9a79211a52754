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
  /** The account it will belong to. */
  readonly account: AccountView
  readonly object: Omit<NewObject, 'tenantId' | 'walletId'>
  /** Addresses in addition to the object's own. */
  readonly aliases?: readonly string[]
  readonly actor: Actor
  /** Reason for the audit log. */
  readonly comment?: string
  /** Form field where errors of the domain are shown. */
  readonly domainField: string
  /** Returns the error for an address that was claimed concurrently. */
  readonly onTaken: (address: string) => Readonly<Record<string, FieldMessages>>
  /**
   * Writes the columns specific to the kind. Returns data for the audit log in addition to name and address.
   */
  readonly fill: (trx: Db, id: number, email: string) => Promise<Readonly<Record<string, unknown>>>
}

/**
 * Creates a distribution list, resource or shared folder with its addresses, entitlement and audit log entry,
 * all or nothing. Returns its id. Throws ValidationError for errors that only show now: name or address taken
 * concurrently, domain deleted, SKU not on sale.
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

/** Returns the field error for a unique violation of a name; any other error unchanged. */
export function nameTaken(error: unknown): unknown {
  return isUniqueViolation(error, 'directory_objects_name')
    ? new ValidationError({ name: [message('directory.nameexists')] })
    : error
}

/**
 * Same as `createObject`, inside the caller's transaction. Also throws AddressTaken and unique violations.
 */
export async function createObjectIn(trx: Db, clock: Clock, creation: Creation): Promise<number> {
  const { account, object, aliases = [] } = creation
  const { kind } = object
  const walletId = account.wallet.id
  const { tenantId, ownerId } = accountOf(account)
  await holdWallet(trx, walletId)
  // the account or its domain may have been deleted since they were read
  if (!(await holdUser(trx, ownerId))) throw new Forbidden()
  const domain = await checkOwnDomain(trx, { tenantId, ownerId }, object.domain)
  if (domain.namespace === undefined) throw new ValidationError({ [creation.domainField]: domain.problem })
  const id = await insertObject(trx, clock, { ...object, tenantId, walletId })
  const email = object.email(id)
  // sorted, so that concurrent writers claiming the same addresses never deadlock
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
