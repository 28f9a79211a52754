import type { Ground } from '../platform/ground.ts'
import { Hasher } from './hasher.ts'
import { systemPolicy } from './new-password.ts'
import { ResetCodes } from './reset-code.ts'

type Config = Parameters<typeof systemPolicy>[0] & { readonly VERIFICATION_CODE_EXPIRY: number }

export type Passwords = ReturnType<typeof addPasswords>

/** Creates the password hasher, the reset codes, and the rules for new passwords. */
export function addPasswords({ config, db, clock, secrets, purge }: Ground<Config>, hasher = new Hasher()) {
  const codes = new ResetCodes(db, clock, secrets, config.VERIFICATION_CODE_EXPIRY)
  purge.add(codes)
  return { hasher, codes, systemPolicy: systemPolicy(config) }
}
