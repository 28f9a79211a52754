import { userStatus } from '@gatehouse/contract/status'
import { ProviderUnavailable } from '../../billing/payments/providers/provider-errors.ts'
import { giveMoney } from '../factories.ts'
import type { Answer, TestApp } from '../test-app.ts'
import { makeUnits } from './billing.ts'
import { chargesOf, sandboxCharges } from './mandates.ts'
import { makePayer, type Payer, sandboxOf } from './sandbox.ts'

/** Status of a user with a ready mailbox. */
export const ready = userStatus.new | userStatus.active | userStatus.imapReady

/** Helpers for auto-payment tests with the sandbox as the provider. */
export interface AutoPaymentDesk {
  /** Creates a user with a mailbox that receives e-mails, and the given balance. */
  readonly makeReader: (cents: number) => Promise<Payer>
  /** Returns auto-payment as its owner sees it. */
  readonly mandateOf: (payer: Payer) => Promise<Answer['body']>
  /** Returns the statuses of charges, oldest first. */
  readonly statuses: (payer: Payer) => Promise<string[]>
  /** Returns the subjects of an address's e-mails, in any order. */
  readonly subjects: (address: string) => Promise<string[]>
  /** Returns the sandbox's last charge for a wallet. */
  readonly lastCharge: (payer: Payer) => Promise<string>
  /** Runs `act` while the provider doesn't respond to these calls. */
  readonly withoutAnswer: <T>(calls: readonly string[], act: () => Promise<T>) => Promise<T>
}

export function autoPaymentDesk(app: () => TestApp): AutoPaymentDesk {
  return {
    async makeReader(cents) {
      const payer = await makePayer(app(), { status: ready })
      const createdAt = app().clock.now()
      await makeUnits(app(), payer.walletId, [{ cost: 0, createdAt, objectId: payer.user.id }])
      if (cents !== 0) await giveMoney(app(), payer.walletId, cents)
      return payer
    },

    mandateOf: async (payer) => (await payer.call('GET /api/v4/payments/mandate')).body,

    statuses: async (payer) => (await chargesOf(app(), payer.walletId)).map(({ status }) => status),

    async subjects(address) {
      const mails = await app().mails()
      return mails.filter((mail) => mail.to.some((to) => to.address === address)).map((mail) => mail.subject)
    },

    async lastCharge(payer) {
      const charge = (await sandboxCharges(app(), payer.walletId)).at(-1)
      if (charge === undefined) throw new Error('nothing was charged')
      return charge.id
    },

    async withoutAnswer(calls, act) {
      const sandbox = sandboxOf(app())
      sandbox.trouble = {
        before: (call) => {
          if (calls.includes(call)) throw new ProviderUnavailable('sandbox', `${call}: no answer`)
        },
      }
      try {
        return await act()
      } finally {
        sandbox.trouble = {}
      }
    },
  }
}
