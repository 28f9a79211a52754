import type { Sandbox } from '../../billing/payments/sandbox/sandbox.ts'
import { settle } from '../../billing/payments/settlement/settle.ts'
import { type MadeUser, makeUser, signInAs, type UserFacts } from '../factories.ts'
import type { Answer, TestApp } from '../test-app.ts'

/** Returns the sandbox of a server under test. */
export function sandboxOf(app: TestApp): Sandbox {
  const { sandbox } = app.payments
  if (sandbox === undefined) throw new Error('this server has no sandbox')
  return sandbox
}

/** A paying user. */
export interface Payer {
  readonly user: MadeUser
  readonly walletId: string
  call(route: string, body?: unknown, language?: string): Promise<Answer>
  /** Starts a payment; returns the portal's and the sandbox's ids and the secret of its page. */
  pay(amount?: number | string, facts?: Record<string, unknown>): Promise<BegunPayment>
}

export interface BegunPayment {
  readonly id: string
  readonly providerId: string
  readonly url: string
}

/** Creates a payer without a plan, so that only payments change the balance. */
export async function makePayer(app: TestApp, facts: UserFacts = {}): Promise<Payer> {
  const user = await makeUser(app, { plan: null, ...facts })
  let token = (await signInAs(app, user)).access_token
  const call: Payer['call'] = async (route, body, language = 'en') => {
    const send = () =>
      app.call(route, {
        token,
        ...(body !== undefined && { body }),
        headers: { 'accept-language': language },
      })
    const answer = await send()
    if (answer.status !== 401 && answer.body?.stepUp !== true) return answer
    // tests move the clock beyond the life of a token, or of a step-up
    token = (await signInAs(app, user)).access_token
    return send()
  }
  return {
    user,
    walletId: user.walletId,
    call,
    pay: async (amount = 10, more = {}) => {
      const { status, body } = await call('POST /api/v4/payments', { amount, ...more })
      if (status !== 200) throw new Error(`no payment: ${JSON.stringify(body)}`)
      const { providerId } = await app.database.db
        .selectFrom('payments')
        .select('providerId')
        .where('id', '=', body.id as string)
        .executeTakeFirstOrThrow()
      return { id: body.id, providerId: providerId ?? '', url: body.redirectUrl ?? body.newWindowUrl }
    },
  }
}

/** Settles a payment now, like any of the ways to settle it. */
export function settleNow(app: TestApp, paymentId: string) {
  return settle(app.payments.payments, paymentId)
}

/** Returns a payment's status in the portal. */
export async function statusOf(app: TestApp, paymentId: string): Promise<string> {
  const row = await app.database.db
    .selectFrom('payments')
    .select('status')
    .where('id', '=', paymentId)
    .executeTakeFirstOrThrow()
  return row.status
}
