import { z } from 'zod'
import { count } from '../platform/settings/setting-kinds.ts'

const secondFactor = z.enum(['optional', 'required']).default('optional')

/** Settings of how people prove who they are. */
export const identitySettings = {
  SECOND_FACTOR_POLICY: secondFactor.describe(
    'Whether everybody has to have a second factor; accounts may require it of their users, never the reverse',
  ),
  STAFF_SECOND_FACTOR: secondFactor.describe('The same for admins and resellers'),
  SESSION_LIFETIME: count(90, 0, 3650).describe(
    'Days after which a session ends and the user signs in again, however much it is used; 0: no such end; sessions of companion devices have none',
  ),
  OAUTH_TOKEN_EXPIRY: count(60, 1, 1440).describe('Life of an access token in minutes'),
  OAUTH_REFRESH_TOKEN_EXPIRY: count(43_200, 10, 525_600).describe('Life of a refresh token in minutes'),
  VERIFICATION_CODE_EXPIRY: count(8, 1, 240).describe('Life of a password reset code in hours'),
}

const parsedSettings = z.object(identitySettings)

export type IdentitySettings = z.infer<typeof parsedSettings>
