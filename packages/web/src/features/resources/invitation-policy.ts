import { displayAddress } from '@gatehouse/contract/canonical-address'
import type { MessageKey } from '../../i18n/areas.ts'

/** Answers of a resource to invitations: at once, after somebody's decision, never. */
export const policies = ['accept', 'manual', 'reject'] as const

export type Policy = (typeof policies)[number]

export interface PolicyValues {
  policy: Policy
  /** Address of who decides; only with `manual`. */
  decider: string
}

export const policyLabels: Record<Policy, MessageKey> = {
  accept: 'resources.accept',
  manual: 'resources.manual',
  reject: 'resources.reject',
}

/** Reads `accept`, `reject` or `manual:<address>`; anything else reads as what a new resource has. */
export function readPolicy(text: string): PolicyValues {
  const [name, ...rest] = text.split(':')
  const policy = policies.find((one) => one === name?.trim()) ?? 'accept'
  return { policy, decider: policy === 'manual' ? displayAddress(rest.join(':').trim()) : '' }
}

/** Writes a policy as the server takes it. */
export function writePolicy({ policy, decider }: PolicyValues): string {
  return policy === 'manual' ? `manual:${decider.trim()}` : policy
}
