import type { Reason } from './reasons.ts'

/** A value that facts are made of: what JSON can carry. */
export type FactValue =
  | string
  | number
  | boolean
  | null
  | readonly FactValue[]
  | { readonly [key: string]: FactValue }

/** The facts that a rule used, kept with its decision so that it can be explained and replayed. */
export type Facts = Readonly<Record<string, FactValue>>

/** What a policy decided about a message or one of its recipients, why, and on which facts. */
export interface Decision {
  readonly reason: Reason
  readonly facts: Facts
  /** Header fields to insert at the top, as `Name: value` without a line break at the end. */
  readonly headers?: readonly string[]
}

/** Returns a decision. Facts with the value undefined are left out. */
export function decide(
  reason: Reason,
  facts: Readonly<Record<string, FactValue | undefined>> = {},
  headers?: readonly string[],
): Decision {
  const known: Record<string, FactValue> = {}
  for (const [name, value] of Object.entries(facts)) if (value !== undefined) known[name] = value
  return headers === undefined ? { reason, facts: known } : { reason, facts: known, headers }
}
