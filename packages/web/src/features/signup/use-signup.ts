import { type Answer, ApiError, call } from '../../platform/api/api.ts'
import { useForm } from '../../ui/form/use-form.ts'
import { step } from './steps/steps.ts'
import { type Arrival, useAccount } from './use-account.ts'
import { useInvitation } from './use-invitation.ts'
import { draft, isUsedCode, type SignupFlow, useSignupFlow } from './use-signup-flow.ts'
import { useVerificationLink } from './use-verification-link.ts'

const prefix = 'signup_'

type Verified = Answer<'POST /api/auth/signup/verify'>

/** State of a sign-up. Holds all input, whichever step is shown. */
export function useSignup() {
  const flow = useSignupFlow()
  const invitation = useInvitation(flow.place.invitation)
  const { fill, ...last } = useAccount(flow, prefix, invitation.names)
  const { identity, sendAgain } = useIdentity(flow, fill)
  const code = useCode(flow, fill)

  const link = useVerificationLink(flow.place.entry, {
    onProved: (codes, answer) => {
      const { first_name, last_name, email, plan } = answer
      identity.reset({
        ...identity.values,
        first_name: first_name ?? '',
        last_name: last_name ?? '',
        email: email ?? '',
      })
      flow.setSent({ plan, code: codes.code, email: email ?? '' })
      fill({ ...answer, codes })
      flow.go(step.account, { replace: true })
    },
    onRefused: flow.startAgain,
  })

  const forms = [identity, code, last.account, last.subscription]
  const selected = flow.plans?.find(({ title }) => title === identity.values.plan)
  return {
    ...flow,
    ...last,
    /** The plan in the URL, otherwise the one selected in the form. */
    plan: flow.plan ?? (flow.title === undefined ? selected : undefined),
    ...{ identity, sendAgain, code, link, invitation },
    guard: {
      dirty: !last.finished && forms.some(({ dirty }) => dirty),
      busy: forms.some(({ busy }) => busy),
    },
  }
}

export type Signup = ReturnType<typeof useSignup>

/** Submits the identity. A code is mailed, unless a token is used. */
function useIdentity(flow: SignupFlow, fill: (arrival: Arrival) => void) {
  const { title, plans, place } = flow

  const askForCode = async () => {
    const { first_name, last_name, email, token, plan: selected } = identity.values
    const plan = title ?? selected
    const isToken = plans?.find((other) => other.title === plan)?.mode === 'token'
    const answer = await call('POST /api/auth/signup/init', {
      body: {
        plan,
        first_name: first_name || null,
        last_name: last_name || null,
        ...(isToken ? { token } : { email }),
        voucher: place.voucher ?? null,
        referral: place.referral ?? null,
      },
    })
    // with a token there is no code, so the code step is skipped
    if (!answer.short_code) flow.setSent({ plan, code: answer.code, email })
    return { plan, answer }
  }

  const identity = useForm({
    initial: { plan: '', first_name: '', last_name: '', email: '', token: '' },
    prefix,
    draft: `${draft}.identity`,
    submit: async () => {
      const { plan, answer } = await askForCode()
      const { code, short_code: shortCode } = answer
      if (shortCode) fill({ ...answer, plan, codes: { code, shortCode } })
      flow.goFor(plan, shortCode ? step.account : step.code)
    },
  })

  return { identity, sendAgain: askForCode }
}

/** The code from the mail. */
function useCode({ sent, go, startAgain }: SignupFlow, fill: (arrival: Arrival) => void) {
  return useForm({
    initial: { short_code: '' },
    prefix,
    submit: async ({ short_code: typed }) => {
      if (!sent) return
      const codes = { code: sent.code, shortCode: typed.trim() }
      const body = { code: codes.code, short_code: codes.shortCode }
      try {
        const answer: Verified = await call('POST /api/auth/signup/verify', { body })
        fill({ ...answer, codes })
        go(step.account)
      } catch (error) {
        if (!(error instanceof ApiError) || !isUsedCode(error)) throw error
        error.toast?.close()
        startAgain(error)
      }
    },
  })
}
