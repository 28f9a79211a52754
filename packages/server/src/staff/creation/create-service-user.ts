import type { Language } from '@gatehouse/contract/language'
import { userStatus } from '@gatehouse/contract/status'
import type { Hasher, HashFor } from '../../passwords/hasher.ts'
import { audit } from '../../platform/audit.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { randomToken } from '../../platform/ids.ts'
import type { EmailAddress } from '../../users/addresses/email-address.ts'
import { createUser } from '../../users/create-user.ts'
import type { By } from '../staff-parts.ts'

export interface ServiceUserParts {
  readonly db: Db
  readonly clock: Clock
  readonly hasher: Hasher
}

export interface ServiceUser {
  readonly tenantId: number
  readonly email: EmailAddress
  readonly language: Language
  readonly currency: string
  /** The role for which the password is hashed. */
  readonly whom: HashFor
}

/**
 * Creates a technical user with role `service`, who has no subscriptions and signs in by SASL only. Returns
 * the id and the generated password, which is not stored. Throws AddressTaken.
 */
export async function createServiceUser(
  { db, clock, hasher }: ServiceUserParts,
  { tenantId, email, language, currency, whom }: ServiceUser,
  by: By,
): Promise<{ readonly id: number; readonly password: string }> {
  const password = randomToken(12)
  const passwordHash = await hasher.hash(password, whom)
  const status = userStatus.new | userStatus.active | userStatus.imapReady
  const facts = { tenantId, email, passwordHash, role: 'service', status, language, currency } as const
  return db.transaction().execute(async (trx) => {
    const { id } = await createUser(trx, clock, { ...facts, settings: {} })
    await audit(trx, clock, {
      tenantId,
      objectType: 'user',
      objectId: id,
      event: 'user.created',
      ...by,
      data: { after: { email: email.full, role: 'service' } },
    })
    return { id, password }
  })
}
