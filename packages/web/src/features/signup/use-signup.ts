import { useState } from 'react'
import { type Answer, ApiError, call } from '../../app/api.ts'
import { config } from '../../app/config.ts'
import { reportFieldErrors } from '../../app/report-error.ts'
import { startedSession } from '../../app/session.ts'
import { useForm } from '../../ui/form/use-form.ts'
import { type DomainsOnOffer, preselectedDomain, step } from './steps.ts'
import { type SignupFlow, useSignupFlow } from './use-signup-flow.ts'
import { useVerificationLink } from './use-verification-link.ts'

const prefix = 'signup_'

type Verified = Answer<'POST /api/auth/signup/verify'>

interface Arrival extends DomainsOnOffer {
  plan: string
  codes: { code: string; shortCode: string }
  is_domain: boolean
  voucher?: string | null
}

/** The whole state of a sign-up. What was typed lives here and nowhere else, whichever step is shown. */
export function useSignup() {
  const flow = useSignupFlow()
  const { account, finished, fill } = useAccount(flow)
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

  const forms = [identity, code, account]
  const selected = flow.plans?.find(({ title }) => title === identity.values.plan)
  return {
    ...flow,
    /** The plan of the address or, when that names none, the one selected in the form. */
    plan: flow.plan ?? (flow.title === undefined ? selected : undefined),
    ...{ identity, sendAgain, code, account, finished, link },
    guard: { dirty: !finished && forms.some(({ dirty }) => dirty), busy: forms.some(({ busy }) => busy) },
  }
}

export type Signup = ReturnType<typeof useSignup>

/** Who signs up. The answer is a code by mail; with a token there is nothing to wait for. */
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
    flow.setSent({ plan, code: answer.code, email })
    return { plan, answer }
  }

  const identity = useForm({
    initial: { plan: '', first_name: '', last_name: '', email: '', token: '' },
    prefix,
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
function useCode({ sent, go }: SignupFlow, fill: (arrival: Arrival) => void) {
  return useForm({
    initial: { short_code: '' },
    prefix,
    submit: async ({ short_code: typed }) => {
      if (!sent) return
      const codes = { code: sent.code, shortCode: typed.trim() }
      const body = { code: codes.code, short_code: codes.shortCode }
      const answer: Verified = await call('POST /api/auth/signup/verify', { body })
      fill({ ...answer, codes })
      go(step.account)
    },
  })
}

/** Login, domain, password, voucher: with them the account is made. */
function useAccount({ proof, setProof, place, startAgain }: SignupFlow) {
  const [finished, setFinished] = useState(false)

  const account = useForm({
    initial: {
      login: '',
      domain: '',
      /** The selection that comes back when the own domain is unticked. */
      selected: '',
      own: false,
      password: '',
      password_confirmation: '',
      voucher: '',
    },
    prefix,
    submit: async ({ own: _own, selected: _selected, voucher, ...fields }) => {
      if (!proof || finished) return
      const { plan, code, shortCode } = proof
      const body = { ...fields, plan, code, short_code: shortCode, voucher: voucher || null }
      try {
        const answer = await call('POST /api/auth/signup', { body })
        setFinished(true)
        startedSession(answer)
      } catch (error) {
        if (!(error instanceof ApiError) || !error.errors?.short_code) throw error
        reportFieldErrors(error)
        startAgain()
      }
    },
  })

  /** Prepares the step for a proof. What was typed before stays. */
  const fill = ({ codes, plan, is_domain: isDomain, domains, domain, voucher }: Arrival) => {
    const { values } = account
    const known = domains.includes(values.selected)
    const selected = known ? values.selected : preselectedDomain({ domains, domain }, config['app.domain'])
    const own = isDomain && values.own
    account.reset({
      ...values,
      own,
      selected,
      domain: own ? values.domain : selected,
      voucher: values.voucher || (voucher ?? place.voucher ?? ''),
    })
    setProof({ ...codes, plan, isDomain, domains, domain })
  }

  return { account, finished, fill }
}
