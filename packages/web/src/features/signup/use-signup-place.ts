import {
  type HistorySteps,
  type StepChange,
  useHistorySteps,
} from '../../platform/navigation/history-step.ts'
import { useLocation, useParams } from '../../router/router-context.tsx'
import { readEntry, type SignupEntry } from './entry.ts'

declare module '../../router/location.ts' {
  interface HistoryState {
    /** Title of the plan, if the path can't contain it. */
    plan?: string
    /** Offers from the initial path, kept across steps and reloads. */
    voucher?: string
    referral?: string
    invitation?: string
  }
}

/** Position in the sign-up according to path and history. */
export interface SignupPlace extends HistorySteps {
  entry: SignupEntry
  /** Title of the plan named by path or history. */
  planTitle: string | undefined
  voucher: string | undefined
  referral: string | undefined
  /** Id of the invitation. */
  invitation: string | undefined
  /** The initial path contained an offer. */
  brings: boolean
}

export function useSignupPlace(): SignupPlace {
  const { _splat = '' } = useParams()
  const entry = readEntry(_splat)
  const kept = {
    plan: useLocation().state.plan,
    voucher: useLocation().state.voucher,
    referral: useLocation().state.referral,
    invitation: useLocation().state.invitation,
  }
  const steps = useHistorySteps()
  const voucher = entry.kind === 'voucher' ? entry.voucher : kept.voucher
  const referral = entry.kind === 'referral' ? entry.referral : kept.referral
  const invitation = entry.kind === 'invitation' ? entry.id : kept.invitation
  const carry = (change?: StepChange) => ({
    ...change,
    state: { voucher, referral, invitation, ...change?.state },
  })

  return {
    entry,
    planTitle: entry.kind === 'plan' ? entry.title : kept.plan,
    voucher,
    referral,
    invitation,
    brings: [voucher, referral, invitation].some((offer) => offer !== undefined),
    wanted: steps.wanted,
    go: (step, change) => steps.go(step, carry(change)),
    back: (step, change) => steps.back(step, carry(change)),
  }
}
