import {
  type DelegationOptions,
  delegationKinds,
  delegationOptionsInput,
} from '@gatehouse/contract/directory/delegation'
import { type FieldMessages, message } from '../../platform/http/errors.ts'
import { type EmailAddress, parseEmailAddress } from '../addresses/email-address.ts'

/** A value that was understood, or what is wrong with the one that was sent. */
export type Checked<T> = { readonly value: T } | { readonly problem: FieldMessages }

/** The address of a delegatee. */
export function checkDelegateeAddress(input: unknown): Checked<EmailAddress> {
  if (input == null) return { problem: [message('validation.required')] }
  if (typeof input !== 'string') return { problem: [message('validation.string')] }
  const email = parseEmailAddress(input)
  return email === undefined ? { problem: [message('validation.email')] } : { value: email }
}

/**
 * What is to be granted: at least one kind. Whether mail may be sent under the delegator's addresses is `sendAs`
 * when it is not said, and without that the same as whether mail is granted.
 */
export function checkOptions(input: unknown, sendAs?: boolean): Checked<DelegationOptions> {
  if (input == null || isEmpty(input)) return { problem: [message('validation.required')] }
  const parsed = delegationOptionsInput.safeParse(input)
  const granted = delegationKinds.flatMap((kind) => {
    const access = parsed.data?.[kind]
    return access == null ? [] : [[kind, access] as const]
  })
  if (granted.length === 0) return { problem: [message('policies.delegationoptioninvalid')] }
  const options = Object.fromEntries(granted)
  return { value: { ...options, send_as: parsed.data?.send_as ?? sendAs ?? 'mail' in options } }
}

function isEmpty(input: unknown): boolean {
  return typeof input === 'object' && input !== null && Object.keys(input).length === 0
}
