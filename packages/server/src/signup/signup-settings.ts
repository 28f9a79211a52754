import { z } from 'zod'
import { count } from '../platform/settings/setting-kinds.ts'

/** Settings of sign-up. */
export const signupSettings = {
  SIGNUP_CODE_EXPIRY: count(24, 1, 240).describe('Lifetime of a sign-up code in hours'),
  SIGNUP_LIMIT_EMAIL: count(0, 0, 1000).describe('Open sign-up codes per e-mail address. 0: no limit'),
  SIGNUP_LIMIT_IP: count(0, 0, 10_000).describe('Open sign-up codes per IP address. 0: no limit'),
}

const parsedSettings = z.object(signupSettings)

export type SignupSettings = z.infer<typeof parsedSettings>
