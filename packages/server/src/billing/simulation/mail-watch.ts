import { day, hour } from '../../platform/clock.ts'
import type { ReferenceLife } from './reference-life.ts'
import type { SentMail } from './world.ts'

/** Earliest day of a debt for each mail; each is sent once per debt. */
const earliest: Readonly<Record<string, number>> = {
  NegativeBalance: hour,
  NegativeBalanceReminder: 7 * day,
  NegativeBalanceWarning: 12 * day,
  NegativeBalanceDegraded: 14 * day,
}

/** Invariants for mails that must hold regardless of the reference. */
export class MailWatch {
  /** Debt (wallet and start) → its mails. */
  readonly #ofDebt = new Map<string, Set<string>>()
  readonly #trialEnds = new Set<string>()
  sent = 0

  /** Checks the mails sent for one wallet at one time; reports violations. */
  judge(
    walletId: string,
    mails: readonly string[],
    { reference, since, now }: { reference: ReferenceLife; since: Date | null; now: Date },
  ): string[] {
    this.sent += mails.length
    const wrong: string[] = []
    for (const mail of mails) {
      const wait = earliest[mail]
      if (mail === 'TrialEnd') {
        if (this.#trialEnds.has(walletId)) wrong.push('a second notice of the end of the trial')
        this.#trialEnds.add(walletId)
      } else if (mail === 'DegradedReminder') {
        if (!reference.isDegraded || since === null) wrong.push(`${mail} although nothing is owed`)
      } else if (wait !== undefined) {
        if (since === null || now.getTime() - since.getTime() < wait * 1000)
          wrong.push(`${mail} before its day`)
        const debt = `${walletId} ${since?.toISOString()}`
        const seen = this.#ofDebt.get(debt) ?? new Set()
        if (seen.has(mail)) wrong.push(`${mail} twice in one debt`)
        this.#ofDebt.set(debt, seen.add(mail))
      }
    }
    return wrong
  }
}

/**
 * Groups mails by wallet. Each mail counts as often as the recipient with the most copies got it: it goes to
 * several addresses, but only once to each.
 */
export function byWallet(mails: readonly SentMail[]): ReadonlyMap<string, readonly string[]> {
  const counts = new Map<string, Map<string, Map<string, number>>>()
  for (const { walletId, mail, address } of mails) {
    const ofWallet = counts.get(walletId) ?? new Map<string, Map<string, number>>()
    const ofMail = ofWallet.get(mail) ?? new Map<string, number>()
    counts.set(walletId, ofWallet.set(mail, ofMail.set(address, (ofMail.get(address) ?? 0) + 1)))
  }
  const flat = [...counts].map(([walletId, ofWallet]): [string, string[]] => [
    walletId,
    [...ofWallet].flatMap(([mail, addresses]) => Array<string>(Math.max(...addresses.values())).fill(mail)),
  ])
  return new Map(flat)
}
