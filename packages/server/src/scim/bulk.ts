import { z } from 'zod'
import { message } from '../platform/http/errors.ts'
import { maxBulkOperations } from './bulk-limits.ts'
import { unresolvedIn, withReferences } from './bulk-references.ts'
import { invalid, ScimError, type ScimErrorBody } from './errors.ts'
import { isObject, type Resource } from './schemas/attribute.ts'

export const bulkSchema = 'urn:ietf:params:scim:api:messages:2.0:BulkRequest'
export const bulkAnswerSchema = 'urn:ietf:params:scim:api:messages:2.0:BulkResponse'

const methods = ['POST', 'PUT', 'PATCH', 'DELETE'] as const

const operation = z.object({
  method: z
    .string()
    .transform((text) => text.toUpperCase())
    .pipe(z.enum(methods)),
  path: z.string().regex(/^\/(Users|Groups)(\/[\w:.-]+)?$/),
  bulkId: z.string().min(1).max(200).optional(),
  version: z.string().max(200).optional(),
  data: z.unknown().optional(),
})

const bulkRequest = z.object({
  schemas: z.array(z.string()),
  failOnErrors: z.number().int().min(1).nullish(),
  Operations: z.array(z.unknown()).min(1),
})

/** An operation of a bulk request, with its references resolved. */
export interface BulkOperation {
  readonly method: (typeof methods)[number]
  readonly type: 'Users' | 'Groups'
  /** Absent: a new resource. */
  readonly id: string | undefined
  readonly version: string | undefined
  readonly data: unknown
}

/** The outcome of an operation. */
export interface BulkOutcome {
  readonly status: number
  readonly location?: string
  readonly version?: string
  /** Id of the created or changed resource. */
  readonly id?: string
  readonly error?: ScimErrorBody
}

/** Performs an operation. Doesn't throw. */
export type Perform = (operation: BulkOperation) => Promise<BulkOutcome>

type Sent = z.output<typeof operation>

/**
 * Performs operations one after the other, RFC 7644 §3.7. An operation that refers to a resource made by another
 * one waits for it. Stops after `failOnErrors` errors. Throws ScimError if the request itself is wrong.
 */
export async function performBulk(body: unknown, perform: Perform, fail: (error: ScimError) => BulkOutcome) {
  const { operations, limit } = readBulk(body)
  const run = new BulkRun(operations, limit, perform, fail)
  return { schemas: [bulkAnswerSchema], Operations: await run.all() }
}

class BulkRun {
  readonly #perform: Perform
  readonly #fail: (error: ScimError) => BulkOutcome
  readonly #limit: number
  #waiting: readonly Sent[]
  #errors = 0
  readonly #ids = new Map<string, string>()
  readonly #answers: Resource[] = []

  constructor(
    operations: readonly Sent[],
    limit: number,
    perform: Perform,
    fail: (error: ScimError) => BulkOutcome,
  ) {
    this.#waiting = operations
    this.#limit = limit
    this.#perform = perform
    this.#fail = fail
  }

  async all(): Promise<Resource[]> {
    while (this.#waiting.length > 0 && this.#errors < this.#limit) {
      const known = this.#ids.size
      const passed = await this.#pass()
      // nothing more can be resolved: the rest refers to operations that failed, are missing, or wait in a circle
      if (!passed && this.#ids.size === known) this.#refuseRest()
    }
    return this.#answers
  }

  /** Performs what can be performed now; returns whether anything was. */
  async #pass(): Promise<boolean> {
    const waiting: Sent[] = []
    let passed = false
    for (const [index, sent] of this.#waiting.entries()) {
      if (this.#errors >= this.#limit) {
        waiting.push(...this.#waiting.slice(index))
        break
      }
      if (unresolvedIn(sent, this.#ids) !== undefined) {
        waiting.push(sent)
        continue
      }
      passed = true
      const { path, data } = withReferences({ path: sent.path, data: sent.data }, this.#ids)
      this.#note(
        sent,
        await this.#perform({ ...splitPath(path), method: sent.method, version: sent.version, data }),
      )
    }
    this.#waiting = waiting
    return passed
  }

  #refuseRest(): void {
    for (const sent of this.#waiting) {
      if (this.#errors >= this.#limit) break
      const id = unresolvedIn(sent, this.#ids) ?? ''
      this.#note(sent, this.#fail(new ScimError(409, undefined, message('scim.bulk-reference', { id }))))
    }
    this.#waiting = []
  }

  #note({ method, bulkId }: Sent, { status, location, version, id, error }: BulkOutcome): void {
    if (error !== undefined) this.#errors += 1
    if (bulkId !== undefined && id !== undefined) this.#ids.set(bulkId, id)
    this.#answers.push({
      method,
      ...(bulkId !== undefined && { bulkId }),
      ...(location !== undefined && { location }),
      ...(version !== undefined && { version }),
      status: String(status),
      ...(error !== undefined && { response: error }),
    })
  }
}

function readBulk(body: unknown): { operations: Sent[]; limit: number } {
  const parsed = bulkRequest.safeParse(body)
  if (!parsed.success || !isObject(body)) throw invalid('invalidSyntax', 'scim.invalid-bulk')
  const { schemas, failOnErrors, Operations: sent } = parsed.data
  if (!schemas.includes(bulkSchema))
    throw invalid('invalidSyntax', 'scim.schemas-required', { schema: bulkSchema })
  if (sent.length > maxBulkOperations) {
    throw new ScimError(413, 'tooMany', message('scim.bulk-too-many', { max: maxBulkOperations }))
  }
  const operations = sent.map((one) => {
    const read = operation.safeParse(one)
    if (!read.success || !isWellFormed(read.data)) throw invalid('invalidSyntax', 'scim.invalid-bulk')
    return read.data
  })
  return { operations, limit: failOnErrors ?? Number.POSITIVE_INFINITY }
}

/** Only a new resource has no id, and it needs a `bulkId`. */
function isWellFormed({ method, path, bulkId }: Sent): boolean {
  const isNew = method === 'POST'
  return isNew === !/^\/\w+\//.test(path) && (!isNew || bulkId !== undefined)
}

function splitPath(path: string): Pick<BulkOperation, 'type' | 'id'> {
  const [, type, id] = path.split('/')
  return { type: type === 'Groups' ? 'Groups' : 'Users', id }
}
