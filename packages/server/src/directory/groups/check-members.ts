import type { Db } from '../../platform/db/database.ts'
import type { Principal } from '../../platform/http/callers/principal.ts'
import { BorrowedRefused, type Message, message } from '../../platform/http/errors.ts'
import { borrowedCaller } from '../../platform/http/policy.ts'
import type { Checked } from '../../platform/http/validation.ts'
import { domainsByName } from '../../users/addresses/address-store.ts'
import { parseEmailAddress } from '../../users/addresses/email-address.ts'
import type { AddressAccount } from '../../users/addresses/new-address.ts'
import { usersOfWallet } from '../objects/object-store.ts'
import { holdNesting, isAnyDomain, type KnownAddress, knownAddresses, listsAbove } from './member-store.ts'

/** Normalised, distinct members with their positions in the input. */
export type Places = ReadonlyMap<string, number>

/**
 * Validates the recipients of a list; reference api-objects §9. Addresses in the account's domains must exist
 * as a user, alias, list, resource or folder. Any other address is external and not checked.
 */
export async function checkMembers(
  db: Db,
  account: AddressAccount,
  own: string | undefined,
  sent: readonly (string | null)[],
): Promise<Checked<Places>> {
  const places = new Map<string, number>()
  const problems = new Map<number, Message>()
  for (const [index, item] of sent.entries()) {
    if (item === null || item.trim() === '') continue
    const address = parseEmailAddress(item)
    if (address === undefined) problems.set(index, message('validation.emailinvalid'))
    else if (address.full === own) problems.set(index, message('directory.memberislist'))
    else if (!places.has(address.full)) places.set(address.full, index)
  }
  if (places.size === 0 && problems.size === 0) {
    return { errors: { members: message('directory.listmembersrequired') } }
  }
  for (const address of await missing(db, account, [...places.keys()])) {
    problems.set(places.get(address) ?? 0, message('directory.notalocaluser'))
  }
  return problems.size > 0 ? { errors: { members: problems } } : { value: places }
}

/**
 * Restricts borrowed sessions to recipients inside the account, because mail to outsiders would continue after
 * the session. Throws BorrowedRefused.
 */
export async function requireInsiders(
  db: Db,
  principal: Principal,
  account: AddressAccount & { readonly walletId: string },
  added: readonly string[],
): Promise<void> {
  const borrowed = borrowedCaller(principal)
  if (borrowed === undefined) return
  if ((await findOutsiders(db, account, added)).length > 0) throw new BorrowedRefused(borrowed)
}

/** Returns the addresses that are neither in a domain of the account nor of one of its users. */
export async function findOutsiders(
  db: Db,
  account: AddressAccount & { readonly walletId: string },
  addresses: readonly string[],
): Promise<string[]> {
  const domains = await domainsByName(db, account.tenantId, [...new Set(addresses.map(domainOf))])
  const foreign = addresses.filter((address) => domains.get(domainOf(address))?.ownerId !== account.ownerId)
  const users = await usersOfWallet(db, account.walletId, foreign)
  return foreign.filter((address) => !users.has(address))
}

/** Returns the addresses in the account's domains that do not exist. */
async function missing(db: Db, account: AddressAccount, addresses: readonly string[]): Promise<string[]> {
  const names = [...new Set(addresses.map(domainOf))]
  const domains = await domainsByName(db, account.tenantId, names)
  const local = addresses.filter((address) => domains.get(domainOf(address))?.ownerId === account.ownerId)
  const known = await knownAddresses(db, local)
  return local.filter((address) => known.get(address)?.isAlive !== true)
}

/**
 * Returns errors, by position, for members that would close a loop of nested lists, at any depth and across
 * accounts. Call it in the transaction that writes them: writers of nested lists are serialised so that no two
 * of them close a loop together.
 */
export async function nestingErrors(
  trx: Db,
  own: string,
  places: ReadonlyMap<string, number>,
): Promise<ReadonlyMap<number, Message>> {
  const addresses = [...places.keys()]
  const known = await knownAddresses(trx, addresses)
  if (!(await isNested(trx, addresses, known))) return new Map()
  await holdNesting(trx)
  const above = await listsAbove(trx, own, addresses)
  return new Map([...above].map((address) => [places.get(address) ?? 0, message('directory.memberloop')]))
}

/** Returns true if a member is a list or may become one: an unassigned address of a local domain. */
async function isNested(
  trx: Db,
  addresses: readonly string[],
  known: ReadonlyMap<string, KnownAddress>,
): Promise<boolean> {
  if ([...known.values()].some((one) => one.kind === 'group')) return true
  const names = [...new Set(addresses.filter((address) => !known.has(address)).map(domainOf))]
  return names.length > 0 && (await isAnyDomain(trx, names))
}

function domainOf(address: string): string {
  return address.slice(address.indexOf('@') + 1)
}
