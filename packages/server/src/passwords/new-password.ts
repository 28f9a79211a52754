import type { Db } from '../platform/db/database.ts'
import { type FieldMessages, type Message, message } from '../platform/http/errors.ts'
import type { SiteConfig } from '../platform/settings/site-settings.ts'
import {
  effectivePolicy,
  type PasswordPolicy,
  parsePasswordPolicy,
} from '../users/settings/password-policy.ts'
import { contextWords, type PersonFacts } from './context-words.ts'
import type { Hasher, HashFor } from './hasher.ts'
import type { PasswordSettings } from './password-settings.ts'
import { accountPasswordPolicy, lastPasswordHashes } from './password-store.ts'
import { readPerson, readProductName } from './person-store.ts'
import { brokenRules, type PasswordRequirements } from './requirements.ts'

/** Validates a new password and its confirmation without comparing hashes. */
export function newPasswordErrors(
  requirements: PasswordRequirements,
  password: string | null | undefined,
  confirmation: string | null | undefined,
): Record<string, FieldMessages> {
  if (password == null || password === '') return { password: [message('validation.required')] }
  const errors: Message[] = []
  if (password !== confirmation) errors.push(message('validation.confirmed'))
  errors.push(...brokenRules(requirements, password))
  return errors.length > 0 ? { password: errors } : {}
}

export function systemPolicy(config: Pick<PasswordSettings, 'PASSWORD_POLICY'>): PasswordPolicy {
  return parsePasswordPolicy(config.PASSWORD_POLICY)
}

/** Returns the policy for a user: the account owner's, with the system's as a minimum. */
export async function policyOfUser(db: Db, system: PasswordPolicy, userId: number): Promise<PasswordPolicy> {
  const stored = await accountPasswordPolicy(db, userId)
  return effectivePolicy(system, stored === undefined ? undefined : parsePasswordPolicy(stored))
}

/** Dependencies of the requirements apart from the database. */
export interface RequirementParts {
  readonly systemPolicy: PasswordPolicy
  readonly config: Pick<SiteConfig, 'APP_NAME'>
}

/**
 * Returns the requirements for a user's password; `typed` are facts about the user submitted along with it.
 */
export async function requirementsOfUser(
  db: Db,
  { systemPolicy: system, config }: RequirementParts,
  userId: number,
  typed: Partial<PersonFacts> = {},
): Promise<PasswordRequirements> {
  const policy = await policyOfUser(db, system, userId)
  const { product, ...person } = await readPerson(db, userId)
  const products = [config.APP_NAME, ...(product === null ? [] : [product])]
  const words = [
    ...contextWords(person, products),
    ...contextWords({ ...typed, addresses: typed.addresses ?? [] }, []),
  ]
  return { policy, words }
}

/** Returns the portal's names in a tenant: the installation's and the tenant's. */
export async function productNames(
  db: Db,
  config: Pick<SiteConfig, 'APP_NAME'>,
  tenantId: number,
): Promise<string[]> {
  const name = await readProductName(db, tenantId)
  return name === undefined ? [config.APP_NAME] : [config.APP_NAME, name]
}

/**
 * Returns true if the policy's `last:N` forbids the password because it is the current one or one of the N−1
 * before it.
 */
export async function isReused(
  db: Db,
  hasher: Hasher,
  policy: PasswordPolicy,
  userId: number,
  password: string,
  whom: HashFor,
): Promise<boolean> {
  const last = policy.get('last') ?? 0
  if (last < 1) return false
  for (const hash of await lastPasswordHashes(db, userId, last)) {
    if (await hasher.verify(hash, password, whom)) return true
  }
  return false
}
