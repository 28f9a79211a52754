import type { PasskeyProof } from '@gatehouse/contract/sessions/proofs'
import { useState } from 'react'
import { placePasswordErrors } from '../../domain/password-input/place-errors.ts'
import { useProof } from '../../domain/proof/use-proof.ts'
import { confirmOnDevice } from '../../domain/sign-in/login.ts'
import { loadMessages } from '../../i18n/i18n.ts'
import { ApiError, call } from '../../platform/api/api.ts'
import type { ProofNeed } from '../../platform/api/api-error.ts'
import { request } from '../../platform/api/http.ts'
import { reportError, reportFieldErrors } from '../../platform/api/report-error.ts'
import { useHistorySteps } from '../../platform/navigation/history-step.ts'
import { startedSession } from '../../platform/session/session.ts'
import { dropDrafts, useTabState } from '../../ui/form/draft.ts'
import { useForm } from '../../ui/form/use-form.ts'
import { type ResetCodes, useResetLink } from './use-reset-link.ts'

/** Step numbers according to the specification. */
export const step = { email: 1, code: 2, password: 3 } as const

const prefix = 'reset_'

/** Storage key for what survives a reload. */
export const draft = 'reset'

/** Codes accepted by the server, and the account they belong to. */
export interface ResetProof extends ResetCodes {
  userId: number
}

/** State of a password reset: step, forms, and the server's responses so far. */
export function useReset() {
  const history = useHistorySteps()
  const [sent, setSent] = useTabState<{ code: string; email: string }>(`${draft}.sent`)
  const [proof, setProof] = useTabState<ResetProof>(`${draft}.proof`)
  const link = useResetLink((codes, userId) => setProof({ ...codes, userId }))

  const wanted = history.wanted ?? (link.given ? step.password : step.email)
  const lastOpen = wanted >= step.code && sent ? step.code : step.email
  const shown = wanted >= step.password && proof ? step.password : lastOpen

  const ask = async () => {
    const email = address.values.email.trim()
    const { code } = await call('POST /api/auth/password-reset/init', { body: { email } })
    setSent({ code, email })
  }

  const address = useForm({
    initial: { email: '' },
    prefix,
    draft: `${draft}.address`,
    submit: async () => {
      await ask()
      confirmation.reset()
      history.go(step.code, { from: shown })
    },
  })

  const confirmation = useForm({
    initial: { short_code: '' },
    prefix,
    submit: async ({ short_code }) => {
      if (!sent) return
      const codes = { code: sent.code, short_code: short_code.trim() }
      const { userId } = await call('POST /api/auth/password-reset/verify', { body: codes })
      setProof({ ...codes, userId })
      history.go(step.password, { from: shown })
    },
  })

  /** The code was used or has expired; a new one is needed. */
  const startAgain = () => {
    setSent(undefined)
    setProof(undefined)
    history.go(step.email, { path: '/password-reset', replace: true })
  }

  const { password, finished, second } = usePassword(proof, startAgain)

  const back = () => {
    if (second.isNeeded) return second.leave()
    setProof(undefined)
    if (shown === step.password) password.reset()
    else confirmation.reset()
    const target = shown === step.password && sent ? step.code : step.email
    history.back(target, target === step.email ? { path: '/password-reset' } : {})
  }

  return {
    ...{ checkingLink: link.open, shown, sent, proof, ask, back },
    ...{ address, confirmation, password, finished, second },
  }
}

export type Reset = ReturnType<typeof useReset>

interface NewPassword {
  password: string
  password_confirmation: string
  secondfactor: string | null
  passkey?: PasskeyProof
}

/** Sets the new password with the second factor, if the account has one, and signs the user in. */
function usePassword(proof: ResetProof | undefined, startAgain: () => void) {
  const [finished, setFinished] = useState(false)
  const [need, setNeed] = useState<ProofNeed>()

  const send = async (values: NewPassword) => {
    if (!proof || finished) return
    const { code, short_code } = proof
    try {
      const body = { ...values, code, short_code, async: true }
      const answer = await call('POST /api/auth/password-reset', { body, ignoreErrors: true })
      const session =
        answer.status === 'waiting'
          ? await confirmOnDevice(answer, (named, signal) => {
              const { password, password_confirmation } = values
              const again = { code, short_code, password, password_confirmation, ...named }
              return request('POST /api/auth/password-reset/attempt', { body: again, signal })
            })
          : answer
      setFinished(true)
      dropDrafts(draft)
      startedSession(session)
    } catch (error) {
      if (!(error instanceof ApiError) || !error.errors?.short_code) throw error
      reportError(error)
      reportFieldErrors(error)
      setNeed(undefined)
      startAgain()
    }
  }

  const password = useForm({
    initial: { password: '', password_confirmation: '', secondfactor: '' },
    prefix,
    placeErrors: placePasswordErrors,
    submit: async (values) => {
      const secondfactor = values.secondfactor || null
      try {
        await send({ ...values, secondfactor })
      } catch (error) {
        if (error instanceof ApiError && error.proof && !secondfactor) {
          await loadMessages('proof')
          return setNeed(error.proof)
        }
        reportError(error)
        throw error
      }
    },
  })

  const factor = useProof({
    need,
    prefix,
    send: async (given) => {
      try {
        await send({ ...password.values, secondfactor: null, ...given })
      } catch (error) {
        // the password no longer meets the policy: its step shows why
        if (error instanceof ApiError && error.errors?.password) setNeed(undefined)
        if (!given.passkey) reportError(error)
        throw error
      }
    },
  })

  const leave = () => {
    setNeed(undefined)
    factor.form.reset()
  }
  return { password, finished, second: { isNeeded: need !== undefined, factor, leave } }
}
