import { deleteUser } from '../../account-lifecycle/delete-user.ts'
import { eraseDomain, eraseObject, eraseUser } from '../../account-lifecycle/erase.ts'
import { eraseAccountJob } from '../../account-lifecycle/erase-account.ts'
import { ownsRemains } from '../../account-lifecycle/erase-store.ts'
import { deleteDomain } from '../../directory/domains/delete-domain.ts'
import type { Domain } from '../../directory/domains/domain.ts'
import { deleteObject } from '../../directory/objects/end-object.ts'
import type { DirectoryObject } from '../../directory/objects/object.ts'
import { Forbidden, message, NotFound, ValidationError } from '../../platform/http/errors.ts'
import type { AccountView } from '../../users/account-view/account-view.ts'
import { ownsAccount } from '../../users/member-store.ts'
import { employsStaff } from '../account-store.ts'
import type { By, StaffParts } from '../staff-parts.ts'

type Parts = Pick<StaffParts, 'db' | 'clock' | 'jobs' | 'tokens'>

/** Who deletes or erases something and why, with its address or name as confirmation if required. */
export interface Deletion {
  readonly by: By
  readonly confirm?: string | null | undefined
}

/**
 * Deletes a user like the account's owner would; deleting the owner deletes the account, whose address must be
 * confirmed. Throws ValidationError at `confirm`, and Forbidden if the account has a staff member.
 */
export async function deleteCustomer(
  parts: Parts,
  view: AccountView,
  { by, confirm }: Deletion,
): Promise<void> {
  const { id, email, deletedAt } = view.user
  if (deletedAt !== null) throw new NotFound()
  if (view.owner?.id === id && (await ownsAccount(parts.db, id))) {
    requireConfirmed(confirm, email)
    if (await employsStaff(parts.db, id)) throw new Forbidden(message('staff.account-of-colleague'))
  }
  await deleteUser(parts, view, by.actor, by.comment)
}

/** Outcome of an erasure: completed, or running step by step in a job. */
export type Erasure = 'done' | 'begun'

/**
 * Erases a deleted user's personal data; for an account's owner, a job erases everyone and everything in it.
 * Throws NotFound if the user isn't deleted, ValidationError at `confirm`, ErasedTooEarly.
 */
export async function eraseCustomer(
  parts: Parts,
  view: AccountView,
  { by, confirm }: Deletion,
): Promise<Erasure> {
  const { id, email, deletedAt } = view.user
  if (deletedAt === null) throw new NotFound()
  requireConfirmed(confirm, email)
  if (!(await ownsRemains(parts.db, id))) {
    await eraseUser(parts, id, by)
    return 'done'
  }
  const { actor, comment } = by
  const payload = { ownerId: id, by: { actor: { ...actor }, ...(comment !== undefined && { comment }) } }
  await parts.jobs.enqueue(parts.db, eraseAccountJob, payload, { key: `account:erase:${id}` })
  return 'begun'
}

/** Deletes a domain without remaining addresses. Throws DomainNotEmpty, NotFound. */
export async function deleteCustomersDomain(parts: Parts, domain: Domain, { by }: Deletion): Promise<void> {
  await deleteDomain(parts, domain, by.actor, by.comment)
}

/** Permanently removes a deleted domain. Throws ValidationError at `confirm`, DomainHeld, NotFound. */
export async function eraseCustomersDomain(
  parts: Parts,
  domain: Domain,
  { by, confirm }: Deletion,
): Promise<void> {
  requireConfirmed(confirm, domain.displayName, domain.namespace)
  await eraseDomain(parts, domain.id, by)
}

/** Deletes a list, resource or folder. Throws NotFound. */
export async function deleteCustomersObject(
  parts: Parts,
  object: DirectoryObject,
  { by }: Deletion,
): Promise<void> {
  await deleteObject(parts, object, by.actor, by.comment)
}

/**
 * Permanently removes a deleted list, resource or folder. Throws ValidationError at `confirm`, ErasedTooEarly,
 * NotFound.
 */
export async function eraseCustomersObject(
  parts: Parts,
  { kind, id, email }: DirectoryObject,
  { by, confirm }: Deletion,
): Promise<void> {
  requireConfirmed(confirm, email)
  await eraseObject(parts, kind, id, by)
}

function requireConfirmed(given: string | null | undefined, ...names: readonly string[]): void {
  const said = given?.trim().toLowerCase()
  if (names.some((name) => name.toLowerCase() === said)) return
  throw ValidationError.at('confirm', 'staff.confirm-name', { name: names[0] ?? '' })
}
