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

/** What is wrong with a new password and its confirmation, before any hash is looked at. */
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

/** The policy for a user: that of the account's owner on the floor of the system's. */
export async function policyOfUser(db: Db, system: PasswordPolicy, userId: number): Promise<PasswordPolicy> {
  const stored = await accountPasswordPolicy(db, userId)
  return effectivePolicy(system, stored === undefined ? undefined : parsePasswordPolicy(stored))
}

/** What the requirements depend on beside the database. */
export interface RequirementParts {
  readonly systemPolicy: PasswordPolicy
  readonly config: Pick<SiteConfig, 'APP_NAME'>
}

/** What a password of the user has to meet; `typed` is what is to become known of the user at the same time. */
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

/** What the portal is called in a tenant: by the installation, and by the tenant. */
export async function productNames(
  db: Db,
  config: Pick<SiteConfig, 'APP_NAME'>,
  tenantId: number,
): Promise<string[]> {
  const name = await readProductName(db, tenantId)
  return name === undefined ? [config.APP_NAME] : [config.APP_NAME, name]
}

/** True when the policy's `last:N` forbids the password: it is the present one or one of the N−1 before it. */
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
