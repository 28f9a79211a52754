import { languages } from '@gatehouse/contract/language'
import { z } from 'zod'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { defineJob } from '../../platform/jobs/job.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { Post } from '../../platform/mailer/post.ts'
import type { WalletMailName } from '../../platform/mailer/templates/wallet-mails.ts'
import { mailedWallet } from './notice-store.ts'
import { formerOwnerOf, recipientsOf } from './recipients.ts'

const names = [
  'NegativeBalance',
  'NegativeBalanceReminder',
  'NegativeBalanceWarning',
  'NegativeBalanceDegraded',
  'DegradedReminder',
  'TrialEnd',
  'LowBalance',
  'CeilingReached',
  'PaymentReceived',
  'PaymentSuccess',
  'PaymentFailure',
  'PaymentReturned',
  'MandateTooSmall',
  'MandateGone',
  'AccountClosed',
] as const satisfies readonly WalletMailName[]

/** One mail to one recipient, so that a rejected one doesn't make others get theirs twice. */
export const walletMailJob = defineJob(
  'wallet:mail',
  z.object({
    walletId: z.uuid(),
    mail: z.enum(names),
    userId: z.number().int(),
    address: z.string(),
    name: z.string(),
    language: z.enum(languages),
    /** When services are reduced, or when the trial ends. */
    date: z.coerce.date().optional(),
    threshold: z.number().int().optional(),
    /** Cents of the payment or auto-payment. */
    amount: z.number().int().optional(),
  }),
  8,
)

export interface WalletMail {
  readonly mail: WalletMailName
  /** Also sends it to external addresses. */
  readonly alsoExternal?: boolean
  readonly date?: Date
  readonly threshold?: number
  /** Cents of the payment or auto-payment. */
  readonly amount?: number
}

/** Enqueues a mail to all recipients of a wallet, in the transaction that it reports. */
export async function tellHolders(
  trx: Db,
  jobs: Jobs,
  walletId: string,
  { mail, alsoExternal = false, date, threshold, amount }: WalletMail,
  withLdap: boolean,
): Promise<void> {
  for (const recipient of await recipientsOf(trx, walletId, { alsoExternal, withLdap })) {
    await jobs.enqueue(trx, walletMailJob, {
      walletId,
      mail,
      ...recipient,
      ...(date && { date }),
      ...(threshold !== undefined && { threshold }),
      ...(amount !== undefined && { amount }),
    })
  }
}

/** Notifies the owner of a closed account of the forfeited balance, if they still get mail anywhere. */
export async function tellFormerOwner(trx: Db, jobs: Jobs, walletId: string, amount: number): Promise<void> {
  const recipient = await formerOwnerOf(trx, walletId)
  await jobs.enqueue(trx, walletMailJob, { walletId, mail: 'AccountClosed', ...recipient, amount })
}

/** Registers the mails about wallets. Mails that are obsolete by then aren't sent. */
export function handleWalletMails(
  jobs: Jobs,
  { db, clock, post }: { readonly db: Db; readonly clock: Clock; readonly post: Post },
): void {
  jobs.handle(walletMailJob, async (letter) => {
    const { walletId, mail, date = clock.now(), threshold = 0, amount = 0 } = letter
    const wallet = await mailedWallet(db, walletId)
    if (wallet === undefined || (wallet.deletedAt !== null) !== (mail === 'AccountClosed')) return
    if (isOver(mail, { ...wallet, threshold })) return
    await post.send(mail, {
      to: { address: letter.address },
      about: letter.userId,
      record: { tenantId: wallet.tenantId, objectType: 'user', objectId: wallet.id },
      language: letter.language,
      data: (site) => ({
        name: letter.name,
        email: wallet.email,
        site: site.name,
        balance: wallet.balance,
        currency: wallet.currency,
        link: site.link('/wallet'),
        date,
        threshold,
        amount,
      }),
    })
  })
}

/** Whether the wallet was paid, or auto-payment fixed, while the mail was queued. */
function isOver(
  mail: WalletMailName,
  wallet: { readonly balance: number; readonly disabledAt: Date | null; readonly threshold: number },
): boolean {
  switch (mail) {
    case 'TrialEnd':
    case 'CeilingReached':
    case 'PaymentReceived':
    case 'PaymentSuccess':
    case 'PaymentFailure':
    case 'PaymentReturned':
    case 'AccountClosed':
      return false
    case 'MandateTooSmall':
    case 'MandateGone':
      return wallet.disabledAt === null
    case 'LowBalance':
      return wallet.balance >= wallet.threshold
    default:
      return wallet.balance >= 0
  }
}
