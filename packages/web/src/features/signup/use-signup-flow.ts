import type { SignupPlan } from '@gatehouse/contract/signup'
import { useState } from 'react'
import type { ApiError } from '../../platform/api/api.ts'
import { useApiPage } from '../../platform/api/query.tsx'
import type { StepChange } from '../../platform/navigation/history-step.ts'
import { useTabState } from '../../ui/form/draft.ts'
import { planPath } from './entry.ts'
import { type DomainsOnOffer, isDirect, type Step, shownStep, step, stepBefore } from './steps/steps.ts'
import { useSignupPlace } from './use-signup-place.ts'

/** A code that was mailed. */
export interface SentCode {
  plan: string
  code: string
  email: string
}

/** Data for the account step: the plan, and the proof of eligibility. */
export interface Proof extends DomainsOnOffer {
  plan: string
  /** From the first step; undefined if it was skipped. */
  codes: { code: string; shortCode: string } | undefined
  isDomain: boolean
}

/** The amount to pay, as returned for the current input. */
export interface Summary {
  plan: string
  /** The input it was calculated for; it becomes stale when that changes. */
  said: string
  title: string | undefined
  content: string
  /** HTML table sanitized by the server. */
  table: string | undefined
  /** Whether there is anything to pay. */
  hasCost: boolean
}

/** Storage key for what survives a reload. */
export const draft = 'signup'

/** The current step of the sign-up, its plan, and navigation between steps. */
export function useSignupFlow() {
  const place = useSignupPlace()
  const { voucher = null, invitation = null } = place
  const query = useApiPage('GET /api/auth/signup/plans', { query: { voucher, invitation } })
  // input belongs to the link's offer: another voucher or invitation starts with empty fields
  const offer = voucher ?? invitation
  const offerDraft = offer === null ? draft : `${draft}.${offer}`
  const [sent, setSent] = useTabState<SentCode>(`${draft}.sent`)
  const [proof, setProof] = useTabState<Proof>(`${offerDraft}.proof`)
  const [summary, setSummary] = useState<Summary>()
  const [lostCode, setLostCode] = useState(false)
  const [hasAccount, setHasAccount] = useState(false)

  const { entry } = place
  const plans = query.data?.plans
  const onlyPlan = plans?.length === 1 ? plans[0] : undefined
  const named = plans?.find((other) => other.title === place.planTitle)
  const title = (onlyPlan ?? named)?.title ?? (entry.kind === 'link' ? proof?.plan : undefined)
  const plan = plans?.find((other) => other.title === title)
  const invited = place.invitation !== undefined
  const way = { mode: plan?.mode, invited }
  const hasProof = title !== undefined && proof?.plan === title
  const hasCodes = hasProof && proof.codes !== undefined
  // with a code, the flow continues with it, whatever the plan's mode
  const direct = isDirect(way) && !hasCodes && sent?.plan !== title

  const first = direct ? step.account : step.identity
  const usual = entry.kind === 'plan' ? first : entry.kind === 'link' ? step.account : step.plans
  const asked = place.wanted ?? usual
  const wanted = onlyPlan || (direct && asked !== step.plans) ? Math.max(asked, first) : asked
  const shown = shownStep(wanted, {
    identity: !direct && (title !== undefined || lostCode),
    code: title !== undefined && sent?.plan === title,
    account: hasProof && (hasCodes || direct),
    summary: hasProof && summary?.plan === title,
  })
  const previous = stepBefore(shown, way, !onlyPlan)

  const go = (next: Step, change?: StepChange) => place.go(next, { from: shown, ...change })
  /** Navigates to a step of a plan, at the plan's URL. */
  const goFor = (title: string, next: Step, change?: StepChange) =>
    go(next, { path: planPath(title), state: { plan: title }, ...change })

  return {
    /** The prices don't include the path's voucher, or include an earlier one. */
    pending: query.isPlaceholderData,
    ...{ place, query, plans, plan, title, shown, way, invited, direct },
    ...{ sent, setSent, proof, setProof, summary, setSummary },
    /** Storage key for data of the link's offer. */
    offerDraft,
    /** The account step is requested, but its data is still loading. */
    waiting: direct && title !== undefined && wanted >= step.account && !hasProof,
    /** A link or code was invalid; the first step is open even without a plan. */
    lostCode,
    /** The code was already used to create an account. */
    hasAccount,
    /** Target of the back button. */
    previous,
    go,
    goFor,
    choose: (chosen: SignupPlan) => {
      const isQuick = isDirect({ mode: chosen.mode, invited })
      goFor(chosen.title, isQuick ? step.account : step.identity)
    },
    back: () => {
      if (previous === undefined) return
      if (previous !== step.plans) return place.back(previous)
      const plans = { path: '/signup', state: { plan: undefined } }
      // the plans have the bare URL, whichever URL led here
      if (direct && place.brings) go(previous, { ...plans, replace: true })
      else place.back(previous, plans)
    },
    /** Handles an invalid code: its account exists, or a new code is needed. */
    startAgain: (refusal: ApiError) => {
      if (isUsedCode(refusal)) return setHasAccount(true)
      setProof(undefined)
      setSent(undefined)
      setLostCode(true)
      go(step.identity, { path: title ? planPath(title) : '/signup', replace: true })
    },
    /** Drops the path's voucher or referral. */
    dropOffer: (name: 'voucher' | 'referral') =>
      place.go(shown, {
        path: entry.kind === 'plan' ? undefined : '/signup',
        replace: true,
        state: { [name]: undefined },
      }),
  }
}

/** Whether a code was rejected because its account was already created. */
export function isUsedCode({ refusal }: ApiError): boolean {
  return typeof refusal === 'object' && refusal !== null && 'reason' in refusal && refusal.reason === 'used'
}

export type SignupFlow = ReturnType<typeof useSignupFlow>
