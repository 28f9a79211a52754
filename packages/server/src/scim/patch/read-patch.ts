import { z } from 'zod'
import { invalid } from '../errors.ts'
import { isObject } from '../schemas/attribute.ts'

export const patchSchema = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

/** Maximum operations of a change. */
export const maxPatchOperations = 1000

const operation = z.object({
  op: z
    .string()
    .transform((text) => text.toLowerCase())
    .pipe(z.enum(['add', 'remove', 'replace'])),
  path: z.string().min(1).nullish(),
  value: z.unknown().optional(),
})

const message = z.object({
  schemas: z.array(z.string()),
  operations: z.array(operation).min(1).max(maxPatchOperations),
})

export interface PatchOperation {
  readonly op: 'add' | 'remove' | 'replace'
  readonly path: string | undefined
  readonly value: unknown
}

/** Reads the operations of a change. Names and operators are accepted in any case. Throws ScimError. */
export function readPatch(body: unknown): PatchOperation[] {
  if (!isObject(body)) throw invalid('invalidSyntax', 'scim.not-an-object')
  const parsed = message.safeParse(lowerKeys(body, (inner) => (isObject(inner) ? lowerKeys(inner) : inner)))
  if (!parsed.success) throw invalid('invalidSyntax', 'scim.invalid-patch')
  const { schemas, operations } = parsed.data
  const isPatch = schemas.some((urn) => urn.toLowerCase() === patchSchema.toLowerCase())
  if (!isPatch) throw invalid('invalidSyntax', 'scim.schemas-required', { schema: patchSchema })
  return operations.map(({ op, path, value }) => ({ op, path: path ?? undefined, value }))
}

function lowerKeys(
  body: Readonly<Record<string, unknown>>,
  inner: (element: unknown) => unknown = (element) => element,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(body).map(([key, value]) => [
      key.toLowerCase(),
      key.toLowerCase() === 'operations' && Array.isArray(value) ? value.map(inner) : value,
    ]),
  )
}
