import { countPaired } from '../companions/companion-store.ts'
import { countFactors } from '../factors/factor-store.ts'
import type { Db } from '../platform/db/database.ts'

/** What protects an account beside its password. */
export interface Protection {
  readonly hasSecondFactor: boolean
  readonly hasCompanion: boolean
}

/** What a mail program signs in with. */
export type MailSecret = 'account-password' | 'app-password'

/**
 * Mail programs cannot be asked for a second factor. So where there is one, or a companion device, the password of the
 * account alone lets no program in, and an app password does. This rule is for every way in that is not the portal's:
 * IMAP, SMTP, DAV, files.
 */
export function mailSignInRule(
  protection: Protection,
  secret: MailSecret,
): 'allowed' | 'app-password-needed' {
  if (secret === 'app-password') return 'allowed'
  const isProtected = protection.hasSecondFactor || protection.hasCompanion
  return isProtected ? 'app-password-needed' : 'allowed'
}

/** What protects a user now. */
export async function protectionOf(db: Db, userId: number): Promise<Protection> {
  const [factors, companions] = [await countFactors(db, userId), await countPaired(db, userId)]
  return { hasSecondFactor: factors > 0, hasCompanion: companions > 0 }
}
