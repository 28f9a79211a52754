import { type EmailAddress, parseEmailAddress } from '../accounts/email-address.ts'
import { isReservedName } from '../accounts/reserved-names.ts'
import type { Config } from '../config.ts'
import { isOwnableDomain, normaliseDomain } from '../directory/domain-name.ts'
import { findDomain, takenNames } from '../directory/domain-store.ts'
import type { Db } from '../platform/db/database.ts'
import { ValidationError } from '../platform/http/errors.ts'

export interface AccountName {
  readonly address: EmailAddress
  /** The domain does not exist yet and comes with the account. */
  readonly newDomain: string | undefined
}

/**
 * Checks the login and domain that a new account wants; reference api-auth §13.8. Login errors come before
 * domain errors. `mayBringDomain`: the plan hosts an own domain. Throws ValidationError.
 */
export async function checkAccountName(
  db: Db,
  tenantId: number,
  wanted: { readonly login: string; readonly domain: string },
  mayBringDomain: boolean,
  config: Pick<Config, 'domain' | 'reservedDomains'>,
): Promise<AccountName> {
  const login = wanted.login.toLowerCase()
  if (!/^[a-z0-9_.-]+$/.test(login) || parseEmailAddress(`${login}@test.com`) === undefined) {
    throw ValidationError.at('login', 'validation.entryinvalid')
  }
  const namespace = normaliseDomain(wanted.domain)
  const domain = namespace === undefined ? undefined : await findDomain(db, namespace)
  const isPublic = domain?.isPublic === true && domain.deletedAt === null && domain.tenantId === tenantId
  if ((isPublic || !mayBringDomain) && isReservedName(login)) {
    throw ValidationError.at('login', 'validation.entryexists')
  }
  const address = namespace === undefined ? undefined : parseEmailAddress(`${login}@${namespace}`)
  if (address !== undefined && (await isTaken(db, address.full))) {
    throw ValidationError.at('login', 'validation.loginexists')
  }
  if (namespace === undefined) throw ValidationError.at('domain', 'validation.domaininvalid')
  if (address === undefined) throw ValidationError.at('login', 'validation.entryinvalid')
  if (isPublic) return { address, newDomain: undefined }
  if (domain !== undefined) throw ValidationError.at('domain', 'validation.domainnotavailable')
  if (!mayBringDomain || !isOwnableDomain(namespace, await takenNames(db, config))) {
    throw ValidationError.at('domain', 'validation.domaininvalid')
  }
  return { address, newDomain: namespace }
}

async function isTaken(db: Db, address: string): Promise<boolean> {
  const row = await db
    .selectFrom('addresses')
    .select('address')
    .where('address', '=', address)
    .executeTakeFirst()
  return row !== undefined
}
