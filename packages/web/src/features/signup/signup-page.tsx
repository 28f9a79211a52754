import { useEffect } from 'react'
import { useT } from '../../i18n/i18n.ts'
import { config } from '../../platform/config.ts'
import { showStatusPage } from '../../platform/error-page-store.ts'
import { useUser } from '../../platform/session/auth.ts'
import { dropDrafts } from '../../ui/form/draft.ts'
import { UnsavedGuard } from '../../ui/form/unsaved-guard.tsx'
import { LoadFailed } from '../../ui/page/load-failed.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { HasAccount } from './has-account.tsx'
import { SignedInNote } from './signed-in-note.tsx'
import { AccountStep } from './steps/account-step.tsx'
import { CodeStep } from './steps/code-step.tsx'
import { IdentityStep } from './steps/identity-step.tsx'
import { PlansStep } from './steps/plans-step.tsx'
import { FormSkeleton, PlansSkeleton } from './steps/skeletons.tsx'
import { step } from './steps/steps.ts'
import { SummaryStep } from './steps/summary-step.tsx'
import { type Signup, useSignup } from './use-signup.ts'
import { draft } from './use-signup-flow.ts'
import './signup.css'

/** Sign-up in steps: plan, identity, code, account, summary; specification §2 and §4. */
export function SignupPage() {
  const signup = useSignup()
  const { kind } = signup.place.entry
  const signedIn = useUser()
  const missing = !config['app.with_signup'] || kind === 'unknown'

  useEffect(() => {
    if (missing) showStatusPage(404)
  }, [missing])

  useEffect(() => () => dropDrafts(draft), [])

  if (missing) return null
  if (signup.hasAccount) return <HasAccount />
  if (signedIn && !signup.finished) return <SignedInNote user={signedIn} />
  return (
    <>
      <UnsavedGuard form={signup.guard} within="/signup" />
      <CurrentStep signup={signup} />
    </>
  )
}

function CurrentStep({ signup }: { signup: Signup }) {
  const t = useT()
  const { link, plans, shown, query, invitation, waiting, domains, summary } = signup
  if (link.failed) return <Failed onRetry={link.retry} />
  if (link.open) return <FormSkeleton title={t('words.checkingYourLink')} />
  if (invitation.failed) return <Failed onRetry={invitation.retry} />
  if (invitation.open) return <PlansSkeleton />
  if (shown === step.summary && summary) return <SummaryStep signup={signup} summary={summary} />
  if (shown === step.account) return <AccountStep signup={signup} />
  if (query.isError) return <Failed onRetry={() => query.refetch()} />
  if (!plans)
    return signup.place.entry.kind === 'plan' ? <FormSkeleton title={t('menu.signup')} /> : <PlansSkeleton />
  if (waiting && domains.isError) return <Failed onRetry={() => domains.refetch()} />
  if (waiting) return <FormSkeleton title={t('signup.accountTitle')} />
  if (shown === step.code) return <CodeStep signup={signup} />
  return shown === step.identity ? <IdentityStep signup={signup} /> : <PlansStep signup={signup} />
}

function Failed({ onRetry }: { onRetry: () => unknown }) {
  const t = useT()
  return (
    <>
      <PageHead title={t('menu.signup')} />
      <LoadFailed onRetry={onRetry} />
    </>
  )
}
