import { newUserInput } from '@gatehouse/contract/directory/users'
import {
  addMember,
  checkMember,
  originOf,
  passwordLater,
  requireCreator,
} from '../../directory/users/add-member.ts'
import { isUniqueViolation } from '../../platform/db/database.ts'
import { reader } from '../../platform/http/validation.ts'
import { suspendUser } from '../../users/account-state.ts'
import { accountOf } from '../../users/account-view/account-view.ts'
import { domainsByName } from '../../users/addresses/address-store.ts'
import { AddressTaken } from '../../users/create-user.ts'
import { invalid, notUnique } from '../errors.ts'
import type { Resource } from '../schemas/attribute.ts'
import { readResource } from '../schemas/read-resource.ts'
import { userSchema } from '../schemas/user-schema.ts'
import type { ScimParts, ScimRequest } from '../scim-parts.ts'
import { packageOf } from './default-package.ts'
import { managerOf } from './manager.ts'
import { presentUser } from './present-user.ts'
import { isOfDeletedUser, readUser, writeScimUser } from './user-store.ts'
import { type WantedUser, wantedUser } from './wanted-user.ts'

/**
 * Creates a user with a package, within the ceiling of the account. The user has no password: the account sends a
 * link to the external address, which only a new user can get from a directory. Throws ScimError.
 */
export async function createScimUser(
  parts: ScimParts,
  request: ScimRequest,
  body: unknown,
): Promise<Resource> {
  requireCreator(request.principal, request.account)
  const wanted = wantedUser(readResource(userSchema, body))
  if (wanted.userName === null) throw invalid('invalidValue', 'scim.required', { name: 'userName' })
  const member = await readMember(parts, request, wanted, wanted.userName)
  const id = await parts.db
    .transaction()
    .execute(async (trx) => {
      const { account, ip, actor, walletId } = request
      const managerId = await managerOf(trx, walletId, wanted.managerId)
      const made = await addMember(trx, parts, originOf(account, { language: 'en', ip, actor }), member, null)
      await writeScimUser(trx, { id: made, walletId, externalId: wanted.externalId, managerId })
      if (!wanted.isActive) await suspendUser(trx, parts.clock, made, { actor, reason: 'account' })
      return made
    })
    .catch(async (error: unknown) => {
      throw await creationError(parts, request, error)
    })
  const row = await readUser(parts.db, request.walletId, id)
  if (row === undefined) throw invalid('invalidValue', 'http.404')
  return presentUser(row, request.base)
}

async function readMember(parts: ScimParts, request: ScimRequest, wanted: WantedUser, userName: string) {
  const { db } = parts
  const account = accountOf(request.account)
  const { own, others } = await sortAddresses(parts, request, wanted.emails)
  const input = {
    ...wanted.profile,
    email: userName,
    aliases: own,
    external_email: others[0] ?? null,
    package: await packageOf(db, account.tenantId, wanted.packageName),
  }
  return checkMember(
    db,
    { ...account, ownDomainsOnly: true },
    reader(newUserInput, () => input),
    {
      policy: parts.systemPolicy,
      products: [],
      firstPassword: async () => passwordLater,
      packageProblem: async () => undefined,
    },
  ).catch(async (error: unknown) => {
    if (await isOfDeletedUser(db, request.walletId, userName.trim().toLowerCase())) {
      throw notUnique('scim.deleted-user', { address: userName })
    }
    throw error
  })
}

/** Splits addresses into those in domains of the account and others. */
export async function sortAddresses(
  { db }: Pick<ScimParts, 'db'>,
  { account }: Pick<ScimRequest, 'account'>,
  addresses: readonly string[],
): Promise<{ own: string[]; others: string[] }> {
  const { tenantId, ownerId } = accountOf(account)
  const domainOf = (address: string) => address.slice(address.lastIndexOf('@') + 1)
  const domains = await domainsByName(db, tenantId, [...new Set(addresses.map(domainOf))])
  const isOwn = (address: string) => domains.get(domainOf(address))?.ownerId === ownerId
  return { own: addresses.filter(isOwn), others: addresses.filter((address) => !isOwn(address)) }
}

async function creationError({ db }: ScimParts, { walletId }: ScimRequest, error: unknown): Promise<unknown> {
  if (isUniqueViolation(error, 'scim_users_external')) return notUnique('scim.external-id-taken')
  if (!(error instanceof AddressTaken)) return error
  const isDeleted = await isOfDeletedUser(db, walletId, error.address)
  return isDeleted ? notUnique('scim.deleted-user', { address: error.address }) : error
}
