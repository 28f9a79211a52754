import { useState } from 'react'
import { followHandOff } from '../../domain/payments/hand-off.ts'
import { rememberPayment } from '../../domain/payments/remembered-payment.ts'
import { useT } from '../../i18n/i18n.ts'
import { ApiError, call } from '../../platform/api/api.ts'
import type { Routes } from '../../platform/api/http.ts'
import { reportFieldErrors } from '../../platform/api/report-error.ts'
import { useRequestKey } from '../../platform/api/request-key.ts'
import { showStatusPage } from '../../platform/error-page-store.ts'
import { navigation } from '../../platform/navigation/navigation.ts'
import { useReturn } from '../../platform/navigation/use-return.ts'
import { startedSession } from '../../platform/session/session.ts'
import { dropDrafts } from '../../ui/form/draft.ts'
import { draft, isUsedCode, type SignupFlow } from './use-signup-flow.ts'

export type AccountBody = Routes['POST /api/auth/signup']['body']

/**
 * Creates the account, signs in, and continues to the payment, otherwise to the page chosen by the server.
 */
export function useCreation({ place, startAgain }: SignupFlow) {
  const t = useT()
  const keyFor = useRequestKey()
  const [finished, setFinished] = useState(false)

  // returned from the payment page with the back button: the account already exists
  useReturn(() => finished && navigation().go('/payment/status'))

  const create = async (body: AccountBody) => {
    const answer = await call('POST /api/auth/signup', { body, headers: keyFor(body) })
    setFinished(true)
    dropDrafts(draft)
    const { checkout } = answer
    const leaves = checkout?.redirectUrl !== undefined
    if (leaves) startedSession(answer, { stay: true })
    if (checkout?.id !== undefined) rememberPayment(checkout.id)
    if (checkout) followHandOff(checkout)
    if (!leaves) startedSession(answer)
  }

  /** Runs work and handles errors that no field of the account step can show. */
  const guarded = async (work: () => Promise<void>) => {
    try {
      await work()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (error.status === 404 && place.invitation !== undefined) {
        showStatusPage(404, t('signup.noInvitation'))
      } else if (error.errors?.short_code) {
        if (isUsedCode(error)) error.toast?.close()
        else reportFieldErrors(error)
        startAgain(error)
      } else throw error
    }
  }

  return { create, guarded, finished }
}
