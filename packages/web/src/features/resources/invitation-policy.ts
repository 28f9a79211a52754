import { displayAddress } from '@gatehouse/contract/canonical-address'
import type { MessageKey } from '../../i18n/areas.ts'

/** How a resource answers invitations: accepts at once, asks someone, or rejects. */
export const policies = ['accept', 'manual', 'reject'] as const

export type Policy = (typeof policies)[number]

export interface PolicyValues {
  policy: Policy
  /** Address of the person who decides; only with `manual`. */
  decider: string
}

export const policyLabels: Record<Policy, MessageKey> = {
  accept: 'resources.accept',
  manual: 'resources.manual',
  reject: 'resources.reject',
}

/** Parses `accept`, `reject` or `manual:<address>`; anything else yields the default of a new resource. */
export function readPolicy(text: string): PolicyValues {
  const [name, ...rest] = text.split(':')
  const policy = policies.find((one) => one === name?.trim()) ?? 'accept'
  return { policy, decider: policy === 'manual' ? displayAddress(rest.join(':').trim()) : '' }
}

/** Serializes a policy for the server. */
export function writePolicy({ policy, decider }: PolicyValues): string {
  return policy === 'manual' ? `manual:${decider.trim()}` : policy
}
