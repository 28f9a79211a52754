import { useState } from 'react'
import { ApiError, call } from '../../app/api.ts'
import { useHistorySteps } from '../../app/history-step.ts'
import { reportFieldErrors } from '../../app/report-error.ts'
import { startedSession } from '../../app/session.ts'
import { useForm } from '../../ui/form/use-form.ts'
import { type ResetCodes, useResetLink } from './use-reset-link.ts'

/** The steps by their numbers in the specification. */
export const step = { email: 1, code: 2, password: 3 } as const

const prefix = 'reset_'

/** Codes that the server has accepted, and whose account they belong to. */
export interface ResetProof extends ResetCodes {
  userId: number
}

/** The state of a password reset: step, forms, and what the server has answered so far. */
export function useReset() {
  const history = useHistorySteps()
  const [sent, setSent] = useState<{ code: string; email: string }>()
  const [proof, setProof] = useState<ResetProof>()
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

  /** The code is used up or too old; only a new one helps. */
  const startAgain = () => {
    setSent(undefined)
    setProof(undefined)
    history.go(step.email, { path: '/password-reset', replace: true })
  }

  const { password, finished } = usePassword(proof, startAgain)

  const back = () => {
    setProof(undefined)
    if (shown === step.password) password.reset()
    else confirmation.reset()
    const target = shown === step.password && sent ? step.code : step.email
    history.back(target, target === step.email ? { path: '/password-reset' } : {})
  }

  return { checkingLink: link.open, shown, sent, proof, ask, address, confirmation, password, finished, back }
}

export type Reset = ReturnType<typeof useReset>

/** The new password; with it the person is signed in. */
function usePassword(proof: ResetProof | undefined, startAgain: () => void) {
  const [finished, setFinished] = useState(false)
  const password = useForm({
    initial: { password: '', password_confirmation: '', secondfactor: '' },
    prefix,
    submit: async ({ secondfactor, ...passwords }) => {
      if (!proof || finished) return
      const { code, short_code } = proof
      const body = { ...passwords, code, short_code, secondfactor: secondfactor || null }
      try {
        const answer = await call('POST /api/auth/password-reset', { body })
        setFinished(true)
        startedSession(answer)
      } catch (error) {
        if (!(error instanceof ApiError) || !error.errors?.short_code) throw error
        reportFieldErrors(error)
        startAgain()
      }
    },
  })
  return { password, finished }
}
