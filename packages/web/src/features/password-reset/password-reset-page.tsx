import { useEffect } from 'react'
import { useT } from '../../i18n/i18n.ts'
import { dropDrafts } from '../../ui/form/draft.ts'
import { UnsavedGuard } from '../../ui/form/unsaved-guard.tsx'
import { Entrance } from '../../ui/page/entrance.tsx'
import { Loading, Skeleton } from '../../ui/page/skeleton.tsx'
import { AddressStep, CodeStep, FactorStep, PasswordStep } from './reset-steps.tsx'
import { draft, step, useReset } from './use-reset.ts'

/** Password reset in steps: address, code, new password; specification §2 and §4. */
export function PasswordResetPage() {
  const t = useT()
  const reset = useReset()
  useEffect(() => () => dropDrafts(draft), [])
  const { checkingLink, shown, password, finished, second } = reset

  if (checkingLink) {
    return (
      <Entrance title={t('reset.passwordTitle')} lead={t('words.checkingYourLink')}>
        <Loading>
          <div className="stack">
            <Skeleton height={34} />
            <Skeleton height={34} />
            <Skeleton height={40} />
          </div>
        </Loading>
      </Entrance>
    )
  }
  return (
    <>
      <UnsavedGuard
        form={{ dirty: password.dirty && !finished, busy: password.busy || second.factor.form.busy }}
        within="/password-reset"
      />
      {shown === step.email && <AddressStep reset={reset} />}
      {shown === step.code && <CodeStep reset={reset} />}
      {shown === step.password && !second.isNeeded && <PasswordStep reset={reset} />}
      {shown === step.password && second.isNeeded && <FactorStep reset={reset} />}
    </>
  )
}
