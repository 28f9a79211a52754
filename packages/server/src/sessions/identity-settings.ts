import { z } from 'zod'
import { count } from '../platform/settings/setting-kinds.ts'

const secondFactor = z.enum(['optional', 'required']).default('optional')

/** Settings for authentication. */
export const identitySettings = {
  SECOND_FACTOR_POLICY: secondFactor.describe(
    'Whether users must have a second factor. Accounts can require it for their users, but cannot lift it',
  ),
  STAFF_SECOND_FACTOR: secondFactor.describe('The same for admins and resellers'),
  SESSION_LIFETIME: count(90, 0, 3650).describe(
    'Days after which a session ends and the user signs in again, even if the session is in use. 0: never. Sessions of companion devices do not end',
  ),
  OAUTH_TOKEN_EXPIRY: count(60, 1, 1440).describe('Lifetime of an access token in minutes'),
  OAUTH_REFRESH_TOKEN_EXPIRY: count(43_200, 10, 525_600).describe('Lifetime of a refresh token in minutes'),
  VERIFICATION_CODE_EXPIRY: count(8, 1, 240).describe('Lifetime of a password reset code in hours'),
}

const parsedSettings = z.object(identitySettings)

export type IdentitySettings = z.infer<typeof parsedSettings>
