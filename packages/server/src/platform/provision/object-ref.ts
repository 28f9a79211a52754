import type { Schema } from '../db/schema.ts'

/** Kinds of objects that a back end is told about. */
export type ProvisionedKind = Schema['provisioning']['kind']

/** An object that a back end is told about. */
export interface ObjectRef {
  readonly kind: ProvisionedKind
  readonly id: number
}

/** `kind:id`, which names the object in job keys, queues and notes. */
export function refText({ kind, id }: ObjectRef): string {
  return `${kind}:${id}`
}
