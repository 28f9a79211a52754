import type { Db } from '../../platform/db/database.ts'
import { countPaired } from '../../sessions/companions/companion-store.ts'
import { countFactors } from '../../sessions/second-factor/factor-store.ts'

/** What protects an account beside its password. */
export interface Protection {
  readonly hasSecondFactor: boolean
  readonly hasCompanion: boolean
}

/** What a mail program signs in with. */
export type MailSecret = 'account-password' | 'app-password'

/**
 * `app-password-needed`: this password lets no program in. `confirmation-needed`: it does once a companion device says
 * yes, where it is known from where the program comes.
 */
export type MailVerdict = 'allowed' | 'app-password-needed' | 'confirmation-needed'

/**
 * Mail programs cannot be asked for a second factor. So where there is one, the password of the account alone lets no
 * program in, and an app password does; where there is a companion device instead, that is asked. This rule is for every
 * way in that is not the portal's: IMAP, SMTP, DAV, files.
 */
export function mailSignInRule(protection: Protection, secret: MailSecret): MailVerdict {
  if (secret === 'app-password') return 'allowed'
  if (protection.hasSecondFactor) return 'app-password-needed'
  return protection.hasCompanion ? 'confirmation-needed' : 'allowed'
}

/** What protects a user now. */
export async function protectionOf(db: Db, userId: number): Promise<Protection> {
  const [factors, companions] = [await countFactors(db, userId), await countPaired(db, userId)]
  return { hasSecondFactor: factors > 0, hasCompanion: companions > 0 }
}
