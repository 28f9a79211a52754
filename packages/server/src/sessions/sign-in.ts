import type { Hasher } from '../passwords/hasher.ts'
import type { Db } from '../platform/db/database.ts'
import { ValidationError } from '../platform/http/errors.ts'
import { perAddress, perSubject, type Throttle } from '../platform/throttle/throttle.ts'
import { passesGeoLock } from './geo-lock.ts'
import type { Locator } from './location.ts'
import type { SecondFactors } from './second-factor.ts'
import { SignInRefused } from './sign-in-refused.ts'

export interface Credentials {
  readonly email: string
  readonly password: string
  readonly secondfactor?: string | null
  readonly ip: string
}

export interface SignInParts {
  readonly db: Db
  readonly hasher: Hasher
  readonly throttle: Throttle
  readonly locator: Locator
  readonly secondFactors: SecondFactors
}

/**
 * Checks who somebody is; reference api-auth §5. Returns the user's number. Guesses are throttled for each
 * account and each network address. Throws SignInRefused, SecondFactorRequired or SecondFactorInvalid.
 */
export async function signIn(parts: SignInParts, credentials: Credentials): Promise<number> {
  const email = credentials.email.toLowerCase()
  return parts.throttle.guard(
    [
      { rule: perSubject('login'), subject: email },
      { rule: perAddress('login'), subject: credentials.ip },
    ],
    isGuess,
    async () => {
      const user = await findUser(parts.db, email)
      const known = user?.role === 'service' ? undefined : user
      const correct = await parts.hasher.verify(known?.password_hash, credentials.password)
      if (known === undefined) throw new SignInRefused('notfound')
      if (!correct || known.password_hash === null) throw new SignInRefused('password')
      if (!passesGeoLock(known.limit_geo ?? undefined, parts.locator.country(credentials.ip))) {
        throw new SignInRefused('geolocation')
      }
      if (known.has_factor) await parts.secondFactors.require(known.id, credentials.secondfactor)
      if (parts.hasher.isOutdated(known.password_hash)) await rehash(parts, known.id, credentials.password)
      return known.id
    },
  )
}

/** A missing second factor is no guess; everything else that is refused is. */
function isGuess(error: unknown): boolean {
  return error instanceof SignInRefused || (error instanceof ValidationError && !isMissingFactor(error))
}

function isMissingFactor(error: ValidationError): boolean {
  const text = error.fields.secondfactor
  return text !== undefined && 'key' in text && text.key === 'validation.2fareq'
}

async function findUser(db: Db, email: string) {
  return db
    .selectFrom('users as u')
    .leftJoin('user_settings as s', (join) =>
      join.onRef('s.user_id', '=', 'u.id').on('s.key', '=', 'limit_geo'),
    )
    .select(['u.id', 'u.role', 'u.password_hash', 's.value as limit_geo'])
    .select((eb) =>
      eb
        .exists(
          eb
            .selectFrom('second_factors as f')
            .select('f.id')
            .whereRef('f.user_id', '=', 'u.id')
            .where('f.active', '=', true),
        )
        .as('has_factor'),
    )
    .where('u.email', '=', email)
    .where('u.deleted_at', 'is', null)
    .executeTakeFirst()
}

async function rehash(parts: SignInParts, userId: number, password: string): Promise<void> {
  const password_hash = await parts.hasher.hash(password)
  await parts.db.updateTable('users').set({ password_hash }).where('id', '=', userId).execute()
}
