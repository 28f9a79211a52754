import type { Schema } from '../db/schema.ts'

/** Kinds of objects that are provisioned in a back end. */
export type ProvisionedKind = Schema['provisioning']['kind']

/** An object that is provisioned in a back end. */
export interface ObjectRef {
  readonly kind: ProvisionedKind
  readonly id: number
}

/** Returns `kind:id`, which identifies the object in job keys, queues and records. */
export function refText({ kind, id }: ObjectRef): string {
  return `${kind}:${id}`
}
