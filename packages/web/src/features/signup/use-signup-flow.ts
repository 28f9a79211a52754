import type { SignupPlan } from '@gatehouse/contract/signup'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { StepChange } from '../../app/history-step.ts'
import { apiQuery } from '../../app/query.tsx'
import { planPath } from './entry.ts'
import { type DomainsOnOffer, type Step, shownStep, step, stepBefore } from './steps.ts'
import { useSignupPlace } from './use-signup-place.ts'

/** A code that was mailed. */
export interface SentCode {
  plan: string
  code: string
  email: string
}

/** An address, or a token, that was found to be good: all that the account step needs. */
export interface Proof extends DomainsOnOffer {
  plan: string
  code: string
  shortCode: string
  isDomain: boolean
}

/** Which step of the sign-up is shown, for which plan, and the ways from there. */
export function useSignupFlow() {
  const place = useSignupPlace()
  const query = useQuery(apiQuery('GET /api/auth/signup/plans'))
  const [sent, setSent] = useState<SentCode>()
  const [proof, setProof] = useState<Proof>()
  const [lostCode, setLostCode] = useState(false)

  const { entry } = place
  const plans = query.data?.plans
  const onlyPlan = plans?.length === 1 ? plans[0] : undefined
  const named = plans?.find((other) => other.title === place.planTitle)
  const title = (onlyPlan ?? named)?.title ?? (entry.kind === 'link' ? proof?.plan : undefined)
  const plan = plans?.find((other) => other.title === title)

  const usual = { plan: step.identity, link: step.account }
  const wanted =
    place.wanted ?? (entry.kind === 'plan' || entry.kind === 'link' ? usual[entry.kind] : step.plans)
  const shown = shownStep(onlyPlan ? Math.max(wanted, step.identity) : wanted, {
    identity: title !== undefined || lostCode,
    code: title !== undefined && sent?.plan === title,
    account: title !== undefined && proof?.plan === title,
  })
  const previous = stepBefore(shown, plan?.mode, !onlyPlan)

  const go = (next: Step, change?: StepChange) => place.go(next, { from: shown, ...change })
  /** To a step of a plan, at the address of that plan. */
  const goFor = (title: string, next: Step, change?: StepChange) =>
    go(next, { path: planPath(title), state: { plan: title }, ...change })

  return {
    place,
    query,
    plans,
    plan,
    title,
    shown,
    ...{ sent, setSent, proof, setProof },
    /** A link or a code turned out to be worth nothing; the first step is open even without a plan. */
    lostCode,
    /** The step that the back button leads to. */
    previous,
    go,
    goFor,
    choose: (chosen: SignupPlan) => goFor(chosen.title, step.identity),
    back: () => {
      if (previous === step.plans) place.back(previous, { path: '/signup', state: { plan: undefined } })
      else if (previous !== undefined) place.back(previous)
    },
    /** Only a new code helps: back to the step that asks for one. */
    startAgain: () => {
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

export type SignupFlow = ReturnType<typeof useSignupFlow>
