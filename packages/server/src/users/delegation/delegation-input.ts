import {
  type DelegationOptions,
  type DelegationOptionsInput,
  delegationKinds,
} from '@gatehouse/contract/directory/delegation'
import { message } from '../../platform/http/errors.ts'
import type { Checked } from '../../platform/http/validation.ts'

/** Error for any options that the schema rejects. */
export const optionsRefused = { options: [message('policies.delegationoptioninvalid')] }

/**
 * Validates what to grant: at least one kind. Sending under the delegator's addresses is `sendAs`; if absent,
 * it follows mail access.
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
