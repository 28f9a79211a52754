import type { Db } from '../../platform/db/database.ts'
import { countPaired } from '../../sessions/companions/companion-store.ts'
import { countFactors } from '../../sessions/second-factor/factor-store.ts'

/** What protects an account in addition to its password. */
export interface Protection {
  readonly hasSecondFactor: boolean
  readonly hasCompanion: boolean
}

/** The kind of secret a mail client signs in with. */
export type MailSecret = 'account-password' | 'app-password'

/**
 * `app-password-needed`: the password alone is not accepted. `confirmation-needed`: it is accepted after
 * confirmation on a companion device, if the client's address is known.
 */
export type MailVerdict = 'allowed' | 'app-password-needed' | 'confirmation-needed'

/**
 * Mail clients can't prompt for a second factor. So if the user has one, only app passwords are accepted, not
 * the account password; if the user has a companion device instead, it has to confirm. Applies to all sign-ins
 * outside the portal: IMAP, SMTP, DAV, files.
 */
export function mailSignInRule(protection: Protection, secret: MailSecret): MailVerdict {
  if (secret === 'app-password') return 'allowed'
  if (protection.hasSecondFactor) return 'app-password-needed'
  return protection.hasCompanion ? 'confirmation-needed' : 'allowed'
}

/** Returns the current protection of a user. */
export async function protectionOf(db: Db, userId: number): Promise<Protection> {
  const [factors, companions] = [await countFactors(db, userId), await countPaired(db, userId)]
  return { hasSecondFactor: factors > 0, hasCompanion: companions > 0 }
}
