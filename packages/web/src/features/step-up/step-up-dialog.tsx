import { useEffect, useState } from 'react'
import { ProofFields, submitWords } from '../../domain/proof/proof-fields.tsx'
import { useProof } from '../../domain/proof/use-proof.ts'
import { useT } from '../../i18n/i18n.ts'
import { call } from '../../platform/api/api.ts'
import { ApiError, type ProofNeed } from '../../platform/api/api-error.ts'
import { useUser } from '../../platform/session/auth.ts'
import type { StepUpRequest } from '../../platform/session/step-up.ts'
import { Dialog, type DialogAction } from '../../ui/dialog/dialog.tsx'
import { LoadFailed } from '../../ui/page/load-failed.tsx'
import { Loading, Skeleton } from '../../ui/page/skeleton.tsx'

/** Asks the signed-in user to reauthenticate before a sensitive action. */
export function StepUpDialog({ onProved, onRefused }: StepUpRequest) {
  const t = useT()
  const email = useUser()?.email
  const { need, isFailed, retry } = useNeed()
  const proof = useProof({
    need,
    prefix: 'step-up-',
    send: async (given) => {
      await call('POST /api/auth/step-up', { body: given, ignoreErrors: given.passkey !== undefined })
      onProved()
    },
  })
  const refuse = () =>
    onRefused(new ApiError(t('proof.refused'), { status: 403, fromServer: true, calm: true }))
  const { label, busyLabel } = submitWords(t, proof)
  const submit: DialogAction = { preset: 'submit', label, busyLabel, busy: proof.form.busy }
  return (
    <Dialog open title={t('proof.title')} onClose={refuse} actions={proof.shown ? [submit] : []}>
      <p className="text-2">{t('proof.text')}</p>
      {need && (
        <form {...proof.form.props} className="stack" aria-label={t('proof.title')} tabIndex={-1}>
          <ProofFields proof={proof} username={email} />
        </form>
      )}
      {isFailed && <LoadFailed onRetry={retry} />}
      {!need && !isFailed && (
        <Loading>
          <div className="stack">
            <Skeleton width="40%" />
            <Skeleton height={34} />
          </div>
        </Loading>
      )}
    </Dialog>
  )
}

/**
 * Requests the accepted proofs each time the dialog opens: a challenge is valid once and for minutes only.
 */
function useNeed() {
  const [need, setNeed] = useState<ProofNeed>()
  const [isFailed, setFailed] = useState(false)
  useEffect(() => {
    if (isFailed) return
    const controller = new AbortController()
    const { signal } = controller
    call('POST /api/auth/step-up/options', { signal, ignoreErrors: true }).then(
      (answer) => setNeed(answer),
      () => signal.aborted || setFailed(true),
    )
    return () => controller.abort()
  }, [isFailed])
  return { need, isFailed, retry: () => setFailed(false) }
}
