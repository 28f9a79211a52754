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

/** All that the account step needs: for which plan, and what has proved that one may have it. */
export interface Proof extends DomainsOnOffer {
  plan: string
  /** Of the first step; absent where there is none. */
  codes: { code: string; shortCode: string } | undefined
  isDomain: boolean
}

/** What will be paid, as the server said it for what was filled in. */
export interface Summary {
  plan: string
  /** What it was said for; when that changes, it is worth nothing. */
  said: string
  title: string | undefined
  content: string
  /** A table, HTML that the server has cleaned. */
  table: string | undefined
  /** Something is to be paid. */
  hasCost: boolean
}

/** Where the tab keeps what outlives a reload. */
export const draft = 'signup'

/** Which step of the sign-up is shown, for which plan, and the ways from there. */
export function useSignupFlow() {
  const place = useSignupPlace()
  const { voucher = null, invitation = null } = place
  const query = useApiPage('GET /api/auth/signup/plans', { query: { voucher, invitation } })
  // the account belongs to what the link offered: another voucher or invitation begins with empty fields
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
  // who came by a code goes on with it, whatever the mode of the plan
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
  /** To a step of a plan, at the address of that plan. */
  const goFor = (title: string, next: Step, change?: StepChange) =>
    go(next, { path: planPath(title), state: { plan: title }, ...change })

  return {
    /** Prices are those without the voucher of the path, or with an earlier one. */
    pending: query.isPlaceholderData,
    ...{ place, query, plans, plan, title, shown, way, invited, direct },
    ...{ sent, setSent, proof, setProof, summary, setSummary },
    /** Where the tab keeps what belongs to the offer of the link. */
    offerDraft,
    /** The account step is asked for, and what it needs is still on its way. */
    waiting: direct && title !== undefined && wanted >= step.account && !hasProof,
    /** A link or a code turned out to be worth nothing; the first step is open even without a plan. */
    lostCode,
    /** The code has made an account before. */
    hasAccount,
    /** The step that the back button leads to. */
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
      // the address of the plans is the bare one, whichever led here before
      if (direct && place.brings) go(previous, { ...plans, replace: true })
      else place.back(previous, plans)
    },
    /** The code is worth nothing any more: its account is there, or only a new one helps. */
    startAgain: (refusal: ApiError) => {
      if (isUsedCode(refusal)) return setHasAccount(true)
      setProof(undefined)
      setSent(undefined)
      setLostCode(true)
      go(step.identity, { path: title ? planPath(title) : '/signup', replace: true })
    },
    /** Forgets the voucher or the referral that the path brought along. */
    dropOffer: (name: 'voucher' | 'referral') =>
      place.go(shown, {
        path: entry.kind === 'plan' ? undefined : '/signup',
        replace: true,
        state: { [name]: undefined },
      }),
  }
}

/** Whether a code was refused because it has made an account. */
export function isUsedCode({ refusal }: ApiError): boolean {
  return typeof refusal === 'object' && refusal !== null && 'reason' in refusal && refusal.reason === 'used'
}

export type SignupFlow = ReturnType<typeof useSignupFlow>
