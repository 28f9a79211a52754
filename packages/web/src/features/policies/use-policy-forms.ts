import type { AccountPolicies, UserConfigInput } from '@gatehouse/contract/policies'
import { useT } from '../../i18n/i18n.ts'
import { type Form, useForm } from '../../ui/form/use-form.ts'
import {
  ageMonths,
  type NumberFault,
  numberFaults,
  type PasswordValues,
  passwordValues,
  policyText,
  ruleOf,
} from './password-policy.ts'
import { useSavePolicies } from './save-policies.ts'

/** Form values of the mail delivery policies. */
export interface MailValues {
  greylist_policy: boolean
  itip_policy: boolean
  externalsender_policy: boolean
  externalsender_policy_domains: string[]
}

/** The password form. Only sends changed values, so that system defaults aren't copied to the account. */
export function usePasswordForm(policies: AccountPolicies): Form<PasswordValues> {
  const save = useSavePolicies(policies.ownerId)
  const faultText = useFaultText(policies)
  const before = passwordValues(policies)
  const form: Form<PasswordValues> = useForm<PasswordValues>({
    initial: before,
    prefix: 'policy-',
    submit: async (values) => {
      const faults = numberFaults(values, policies.password)
      if (faults.length > 0) {
        const errors = faults.map((fault) => [fault.field, faultText(fault)])
        return form.setErrors(Object.fromEntries(errors))
      }
      const body: UserConfigInput = {}
      if (policyText(values) !== policyText(before)) body.password_policy = policyText(values)
      if (ageMonths(values) !== ageMonths(before)) body.max_password_age = ageMonths(values)
      await save(body)
      form.reset(values)
    },
  })
  return form
}

function useFaultText({ password }: AccountPolicies): (fault: NumberFault) => string {
  const t = useT()
  return ({ field, fault }) => {
    if (fault === 'whole') return t('policies.whole')
    if (fault === 'crossed') return t('policies.crossed')
    const limit = ruleOf(password, field)?.limit ?? 0
    return field === 'min' ? t('policies.tooShort', { limit }) : t('policies.tooLong', { limit })
  }
}

/** Form values of the second factor requirement. */
export interface FactorValues {
  second_factor_policy: string
}

/** The form for the second factor. */
export function useFactorForm({ second_factor, ownerId }: AccountPolicies): Form<FactorValues> {
  const save = useSavePolicies(ownerId)
  const form: Form<FactorValues> = useForm<FactorValues>({
    initial: { second_factor_policy: second_factor.value },
    prefix: 'policy-',
    submit: async (values) => {
      const isRequired = values.second_factor_policy === 'required'
      await save({ second_factor_policy: isRequired ? 'required' : 'optional' })
      form.reset(values)
    },
  })
  return form
}

/** The mail delivery form. Only sends policies the installation offers. */
export function useMailForm({ config, mailDelivery, ownerId }: AccountPolicies): Form<MailValues> {
  const save = useSavePolicies(ownerId)
  const form: Form<MailValues> = useForm<MailValues>({
    initial: {
      greylist_policy: config.greylist_policy,
      itip_policy: config.itip_policy ?? false,
      externalsender_policy: config.externalsender_policy ?? false,
      externalsender_policy_domains: config.externalsender_policy_domains ?? [],
    },
    prefix: 'policy-',
    submit: async (values) => {
      const domains = values.externalsender_policy_domains
      const body = Object.fromEntries(mailDelivery.map((name) => [name, values[name]]))
      await save(body)
      form.reset({ ...values, externalsender_policy_domains: tidyDomains(domains) })
    },
  })
  return form
}

/** Form values of the consent to staff access; empty: the provider's default. */
export interface StaffValues {
  staff_access_policy: string
}

/** The form for the consent to staff access. */
export function useStaffForm({ staffAccess, ownerId }: AccountPolicies): Form<StaffValues> {
  const save = useSavePolicies(ownerId)
  const form: Form<StaffValues> = useForm<StaffValues>({
    initial: { staff_access_policy: staffAccess.own === null ? '' : String(staffAccess.own) },
    prefix: 'policy-',
    submit: async (values) => {
      const chosen = values.staff_access_policy
      await save({ staff_access_policy: chosen === '' ? null : chosen === 'true' })
      form.reset(values)
    },
  })
  return form
}

/** Normalizes domains like the server: lower case, trimmed, no duplicates. */
export function tidyDomains(domains: readonly string[]): string[] {
  return [...new Set(domains.map((domain) => domain.trim().toLowerCase()).filter(Boolean))]
}
