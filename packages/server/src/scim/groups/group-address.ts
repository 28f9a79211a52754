import type { Db } from '../../platform/db/database.ts'
import { domainsOfWallet } from '../../users/addresses/domain-store.ts'
import type { EmailAddress } from '../../users/addresses/email-address.ts'
import { type AddressAccount, checkNewAddresses } from '../../users/addresses/new-address.ts'
import { invalid } from '../errors.ts'

/** Maximum numbers that are tried after a name that is taken. */
const mostTries = 20

/** Maximum characters of a name in an address. */
const longestName = 48

/**
 * Returns a free address for a list in the account's first confirmed domain, made from the name: `sales-team@…`,
 * then `sales-team-2@…`. Throws ScimError if there is no domain or no free address.
 */
export async function newGroupAddress(
  db: Db,
  account: AddressAccount,
  walletId: string,
  name: string,
): Promise<EmailAddress> {
  const domain = (await domainsOfWallet(db, walletId)).find(
    ({ isConfirmed, isSuspended }) => isConfirmed && !isSuspended,
  )
  if (domain === undefined) throw invalid('invalidValue', 'scim.no-domain')
  const local = localPartOf(name)
  const names = Array.from({ length: mostTries }, (_, index) =>
    index === 0 ? local : `${local}-${index + 1}`,
  )
  const checked = await checkNewAddresses(
    db,
    { ...account, ownDomainsOnly: true },
    names.map((text) => `${text}@${domain.namespace}`),
  )
  const free = checked.find(({ address }) => address !== undefined)
  if (free?.address === undefined) throw invalid('invalidValue', 'scim.no-group-address', { name })
  return free.address
}

/** Letters and digits of a name without accents, joined by hyphens. */
function localPartOf(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
  const local = plain
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, longestName)
    .replace(/^-+|-+$/g, '')
  return local === '' ? 'group' : local
}
