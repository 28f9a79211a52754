import { displayAddress } from '@gatehouse/contract/canonical-address'
import { useEffect, useEffectEvent, useRef } from 'react'
import { useT } from '../../i18n/i18n.ts'
import { ApiError, type ProofNeed } from '../../platform/api/api-error.ts'
import { reportError } from '../../platform/api/report-error.ts'
import { useHistorySteps } from '../../platform/navigation/history-step.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { ProofFields, submitWords } from '../proof/proof-fields.tsx'
import { type GivenProof, useProof } from '../proof/use-proof.ts'
import './second-step.css'

export interface SecondStepProps {
  need: ProofNeed
  /** Address of the user who entered the correct password. */
  email: string
  /** Signs in with the proof and the password, which is kept in memory only. */
  send: (proof: GivenProof) => Promise<void>
  onBack: () => void
}

const place = { password: 1, factor: 2 } as const

/** The second step of sign-in: code, recovery code or passkey. */
export function SecondStep({ need, email, send, onBack }: SecondStepProps) {
  const t = useT()
  const back = useStepInHistory(onBack)
  const proof = useProof({
    need,
    send: async (given) => {
      try {
        await send(given)
      } catch (error) {
        // passkey errors are shown beside the passkey
        if (!given.passkey) reportError(error)
        // the password was changed or the account deleted in the meantime
        if (error instanceof ApiError && error.status === 401) back()
        throw error
      }
    },
  })
  const { label, busyLabel } = submitWords(t, proof)
  return (
    <form {...proof.form.props} className="stack" aria-labelledby="second-step" tabIndex={-1}>
      <div>
        <h2 id="second-step">{t('proof.secondTitle')}</h2>
        <p className="text-2">{t('proof.secondText', { email: displayAddress(email) })}</p>
      </div>
      <ProofFields proof={proof} username={email} />
      <div className="second-step-buttons">
        <Button size="large" onPress={back} disabled={proof.form.busy}>
          {t('words.back')}
        </Button>
        {proof.shown && (
          <Button type="submit" variant="primary" size="large" busy={proof.form.busy} busyLabel={busyLabel}>
            {label}
          </Button>
        )}
      </div>
      <p className="small text-3">{t('proof.lost')}</p>
    </form>
  )
}

/**
 * Lets the back button return to the password. The step can't be reopened from history, because it holds the
 * password.
 */
function useStepInHistory(onBack: () => void): () => void {
  const history = useHistorySteps()
  const isEntered = useRef(false)
  const isHere = history.wanted === place.factor
  const enter = useEffectEvent(() => history.go(place.factor, { from: place.password }))
  const leave = useEffectEvent(onBack)
  useEffect(() => enter(), [])
  useEffect(() => {
    if (isHere) isEntered.current = true
    else if (isEntered.current) leave()
  }, [isHere])
  return () => history.back(place.password)
}
