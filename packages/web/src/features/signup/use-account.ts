import { useEffect, useEffectEvent } from 'react'
import { placePasswordErrors } from '../../domain/password-input/place-errors.ts'
import { ApiError, call } from '../../platform/api/api.ts'
import { useApi } from '../../platform/api/query.tsx'
import { reportFieldErrors } from '../../platform/api/report-error.ts'
import { config } from '../../platform/config.ts'
import { errorLine, readFieldError } from '../../ui/form/field-errors.ts'
import { useForm } from '../../ui/form/use-form.ts'
import { type DomainsOnOffer, preselectedDomain, step } from './steps/steps.ts'
import { type AccountBody, useCreation } from './use-creation.ts'
import type { InvitationCheck } from './use-invitation.ts'
import type { Proof, SignupFlow } from './use-signup-flow.ts'

/** Data available on reaching the account step. */
export interface Arrival extends DomainsOnOffer {
  plan: string
  codes: Proof['codes']
  is_domain: boolean
  voucher?: string | null
}

const initial = {
  first_name: '',
  last_name: '',
  /** Needed if an invitation leads to a plan that requires a token. */
  token: '',
  login: '',
  domain: '',
  /** The selection that comes back when the custom domain is unticked. */
  selected: '',
  own: false,
  password: '',
  password_confirmation: '',
  voucher: '',
}

/** The account step and, for plans paid at once, the summary after it; together they create the account. */
export function useAccount(flow: SignupFlow, prefix: string, invited: InvitationCheck['names']) {
  const { proof, setProof, summary, setSummary, place } = flow
  const { create, guarded, finished } = useCreation(flow)

  const account = useForm({
    initial,
    prefix,
    draft: `${flow.offerDraft}.account`,
    placeErrors: placePasswordErrors,
    submit: async (values) => {
      if (!proof || finished) return
      const body = wireBody(values, proof, flow)
      await guarded(async () => {
        if (flow.plan?.mode !== 'mandate') return create(body)
        const {
          title,
          content = '',
          summary: table,
          cost = 0,
        } = await call('POST /api/auth/signup/validate', { body })
        setSummary({ plan: proof.plan, said: JSON.stringify(body), title, content, table, hasCost: cost > 0 })
        flow.go(step.summary)
      })
    },
  })

  const body = proof && wireBody(account.values, proof, flow)
  const isStale = summary !== undefined && summary.said !== JSON.stringify(body)
  useEffect(() => {
    if (isStale) setSummary(undefined)
  }, [isStale, setSummary])

  const subscription = useForm({
    initial: {},
    prefix,
    submit: async () => {
      if (!body || finished) return
      await guarded(() => create(body)).catch((error: unknown) => {
        if (!(error instanceof ApiError) || !error.errors) throw error
        // the name was taken in the meantime; the fields are in the previous step
        reportFieldErrors(error)
        const lines = Object.entries(error.errors).map(([key, wire]) => [
          key,
          errorLine(readFieldError(wire)),
        ])
        account.setErrors(Object.fromEntries(lines))
        flow.back()
      })
    },
  })

  /** Prepares the step and keeps previous input. */
  const fill = ({ codes, plan, is_domain: isDomain, domains, domain, voucher }: Arrival) => {
    const { values } = account
    const known = domains.includes(values.selected)
    const selected = known ? values.selected : preselectedDomain({ domains, domain }, config['app.domain'])
    const own = isDomain && values.own
    account.reset({
      ...values,
      first_name: values.first_name || (invited?.first_name ?? ''),
      last_name: values.last_name || (invited?.last_name ?? ''),
      own,
      selected,
      domain: own ? values.domain : selected,
      voucher: values.voucher || (voucher ?? place.voucher ?? ''),
    })
    setProof({ codes, plan, isDomain, domains, domain })
  }

  /** Removes an offer of the path, in the form as well. */
  const dropOffer = (name: 'voucher' | 'referral') => {
    if (name === 'voucher' && account.values.voucher === place.voucher) account.set('voucher', '')
    flow.dropOffer(name)
  }

  return { account, subscription, finished, fill, dropOffer, domains: useDomains(flow, fill) }
}

/** Loads the domains for those who skipped the first step, which normally provides them. */
function useDomains({ direct, waiting, plan, place }: SignupFlow, fill: (arrival: Arrival) => void) {
  const query = useApi(
    'GET /api/auth/signup/domains',
    { query: { invitation: place.invitation ?? null } },
    { enabled: direct && plan !== undefined },
  )
  const arrive = useEffectEvent((offer: DomainsOnOffer) => {
    if (plan) fill({ ...offer, plan: plan.title, is_domain: plan.isDomain, codes: undefined })
  })
  const { data } = query
  useEffect(() => {
    if (waiting && data) arrive(data)
  }, [waiting, data])
  return query
}

function wireBody(
  values: typeof initial,
  { plan, codes }: Proof,
  { place, plan: chosen }: SignupFlow,
): AccountBody {
  const { login, domain, password, password_confirmation, voucher } = values
  const common = { login, domain, password, password_confirmation, plan, voucher: voucher || null }
  if (codes) return { ...common, code: codes.code, short_code: codes.shortCode }
  const { invitation, referral = null } = place
  if (invitation === undefined) return { ...common, referral }
  return {
    ...common,
    ...{ referral, invitation, first_name: values.first_name || null, last_name: values.last_name || null },
    ...(chosen?.mode === 'token' && { token: values.token }),
  }
}
