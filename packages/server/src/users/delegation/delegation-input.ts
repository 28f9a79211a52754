import {
  type DelegationOptions,
  type DelegationOptionsInput,
  delegationKinds,
} from '@gatehouse/contract/directory/delegation'
import { message } from '../../platform/http/errors.ts'
import type { Checked } from '../../platform/http/validation.ts'

/** What is told of options that the schema refuses, whatever is wrong with them. */
export const optionsRefused = { options: [message('policies.delegationoptioninvalid')] }

/**
 * What is to be granted: at least one kind. Whether mail may be sent under the delegator's addresses is `sendAs`
 * when it is not said, and without that the same as whether mail is granted.
 */
export function checkOptions(
  sent: DelegationOptionsInput | undefined,
  sendAs?: boolean,
): Checked<DelegationOptions> {
  if (sent === undefined || Object.keys(sent).length === 0) {
    return { errors: { options: [message('validation.required')] } }
  }
  const granted = delegationKinds.flatMap((kind) => {
    const access = sent[kind]
    return access == null ? [] : [[kind, access] as const]
  })
  if (granted.length === 0) return { errors: optionsRefused }
  const options = Object.fromEntries(granted)
  return { value: { ...options, send_as: sent.send_as ?? sendAs ?? 'mail' in options } }
}
