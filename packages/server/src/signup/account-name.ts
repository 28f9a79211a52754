import type { Db } from '../platform/db/database.ts'
import { type FieldMessages, message, ValidationError } from '../platform/http/errors.ts'
import type { MessageKey } from '../platform/i18n/translator.ts'
import type { HostingConfig } from '../platform/settings/hosting-settings.ts'
import type { SiteConfig } from '../platform/settings/site-settings.ts'
import { takenAddresses } from '../users/addresses/address-store.ts'
import { isOwnableDomain, normaliseDomain } from '../users/addresses/domain-name.ts'
import { findDomain, takenNames } from '../users/addresses/domain-store.ts'
import { type EmailAddress, parseEmailAddress } from '../users/addresses/email-address.ts'
import { isReservedName, localPartProblem } from '../users/addresses/reserved-names.ts'

export interface AccountName {
  readonly address: EmailAddress
  /** A domain that doesn't exist yet and is created with the account. */
  readonly newDomain: string | undefined
}

/**
 * Checks the login and domain that a new account wants, both at once; reference api-auth §13.8. `mayBringDomain`: the plan hosts a custom domain. Throws ValidationError.
 */
export async function checkAccountName(
  db: Db,
  tenantId: number,
  wanted: { readonly login: string; readonly domain: string },
  mayBringDomain: boolean,
  config: Pick<SiteConfig, 'domain'> & Pick<HostingConfig, 'reservedDomains'>,
): Promise<AccountName> {
  const login = wanted.login.toLowerCase()
  const namespace = normaliseDomain(wanted.domain)
  const domain = namespace === undefined ? undefined : await findDomain(db, namespace)
  const isPublic =
    domain?.isPublic === true && !domain.isClosed && domain.deletedAt === null && domain.tenantId === tenantId
  const address = namespace === undefined ? undefined : parseEmailAddress(`${login}@${namespace}`)
  const isReserved = (isPublic || !mayBringDomain) && isReservedName(login)

  const loginProblem = async (): Promise<MessageKey | undefined> => {
    if (!isLogin(login) || (address === undefined && namespace !== undefined))
      return 'validation.entryinvalid'
    const unusable = localPartProblem(login)
    if (unusable !== undefined) return unusable
    if (isReserved) return 'validation.entryexists'
    return address !== undefined && (await takenAddresses(db, [address.full])).size > 0
      ? 'validation.loginexists'
      : undefined
  }
  const domainProblem = async (): Promise<MessageKey | undefined> => {
    if (namespace === undefined) return 'validation.domaininvalid'
    if (isPublic) return undefined
    if (domain !== undefined) return 'validation.domainnotavailable'
    const isFree = mayBringDomain && isOwnableDomain(namespace, await takenNames(db, config))
    return isFree ? undefined : 'validation.domaininvalid'
  }

  const problems = { login: await loginProblem(), domain: await domainProblem() }
  // if the address is taken, errors about its domain are redundant
  if (problems.login === 'validation.loginexists') problems.domain = undefined
  if (address === undefined || problems.login !== undefined || problems.domain !== undefined) {
    throw new ValidationError({
      ...(problems.login !== undefined && { login: message(problems.login) }),
      ...(problems.domain !== undefined && { domain: message(problems.domain) }),
    })
  }
  return { address, newDomain: isPublic ? undefined : namespace }
}

/** Returns the errors that are evident from the fields alone. */
export function nameErrors(wanted: {
  readonly login?: string
  readonly domain?: string
}): Record<string, FieldMessages> {
  const { login, domain } = wanted
  const isNoLogin = login !== undefined && !isLogin(login.toLowerCase())
  const isNoDomain = domain !== undefined && normaliseDomain(domain) === undefined
  return {
    ...(isNoLogin && { login: message('validation.entryinvalid') }),
    ...(isNoDomain && { domain: message('validation.domaininvalid') }),
  }
}

function isLogin(login: string): boolean {
  return /^[a-z0-9_.-]+$/.test(login) && parseEmailAddress(`${login}@test.com`) !== undefined
}
