import { z } from 'zod'
import { PaymentRefused, ProviderUnavailable, type Refusal } from '../providers/provider-errors.ts'

/** How Mollie is reached. */
export interface MollieAccess {
  /** API key; nobody logs it. */
  readonly key: string
  /** Absent: Mollie itself. */
  readonly apiUrl?: string
  /** Milliseconds that one request gets. Absent: ten seconds. */
  readonly timeout?: number
}

export interface MollieRequest {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Below `/v2`, with its query. */
  readonly path: string
  readonly body?: unknown
  /** The same request asked twice under one key within an hour is done once (docs.mollie.com/reference/api-idempotency). */
  readonly idempotencyKey?: string
  /** What a refusal means to the customer, unless the field that Mollie names says it better. */
  readonly refusal?: Refusal
}

/** What Mollie refuses is not there, or not any more. */
export class NotAtMollie extends PaymentRefused {}

const problem = z.object({
  title: z.string().optional(),
  detail: z.string().optional(),
  field: z.string().optional(),
})

type Problem = z.infer<typeof problem>

const refusedFields: Readonly<Record<string, Refusal>> = {
  amount: 'amount',
  'amount.value': 'amount',
  'amount.currency': 'amount',
  method: 'method',
  mandateId: 'mandate',
}

/** Answers are a few kilobytes; whatever is longer is none of Mollie's. */
const longestAnswer = 4 * 1024 * 1024

/**
 * A thin client of Mollie's API v2 (docs.mollie.com/reference). Nothing is tried again here: what may be repeated, and
 * when, is known by who asked. Answers are parsed; one that cannot be is an outage.
 */
export class MollieClient {
  readonly #base: string
  readonly #key: string
  readonly #timeout: number

  constructor(access: MollieAccess) {
    this.#base = `${(access.apiUrl ?? 'https://api.mollie.com').replace(/\/+$/, '')}/v2`
    this.#key = access.key
    this.#timeout = access.timeout ?? 10_000
  }

  /** Makes one request and parses its answer. */
  async call<T>(request: MollieRequest, schema: z.ZodType<T>): Promise<T> {
    const text = await this.#send(request)
    const parsed = schema.safeParse(json(text))
    if (!parsed.success) {
      const where = parsed.error.issues.map((issue) => issue.path.join('.')).join(', ')
      throw new ProviderUnavailable(
        'mollie',
        `answer to ${request.method} ${request.path} not understood: ${where}`,
      )
    }
    return parsed.data
  }

  /** As `call`; undefined: there is no such object, or not any more. */
  async find<T>(request: MollieRequest, schema: z.ZodType<T>): Promise<T | undefined> {
    try {
      return await this.call(request, schema)
    } catch (error) {
      if (error instanceof NotAtMollie) return undefined
      throw error
    }
  }

  async #send(request: MollieRequest): Promise<string> {
    const signal = AbortSignal.timeout(this.#timeout)
    let response: Response
    let text: string
    try {
      response = await fetch(`${this.#base}${request.path}`, {
        method: request.method,
        // an answer that sends us elsewhere would take the key along
        redirect: 'error',
        signal,
        headers: {
          authorization: `Bearer ${this.#key}`,
          accept: 'application/hal+json',
          ...(request.body !== undefined && { 'content-type': 'application/json' }),
          ...(request.idempotencyKey !== undefined && { 'idempotency-key': request.idempotencyKey }),
        },
        ...(request.body !== undefined && { body: JSON.stringify(request.body) }),
      })
      text = await readText(response)
    } catch (error) {
      const reason = signal.aborted ? `no answer in ${this.#timeout} ms` : causeOf(error)
      throw new ProviderUnavailable('mollie', `${request.method} ${request.path}: ${reason}`)
    }
    if (response.ok) return text
    throw failure(request, response.status, text)
  }
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body ?? []) {
    length += chunk.length
    if (length > longestAnswer) throw new Error('response too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function failure(request: MollieRequest, status: number, text: string): Error {
  const { title, detail, field } = problemOf(text)
  const words = [title, detail, field === undefined ? undefined : `(${field})`].filter(
    (word) => word !== undefined,
  )
  const reason = `${request.method} ${request.path}: ${status} ${words.join(' ')}`.slice(0, 500)
  if (status === 404 || status === 410) return new NotAtMollie(request.refusal ?? 'payment', reason)
  if (status === 400 || status === 409 || status === 422) {
    // the same request under the same key is still on its way
    if (status === 409 && request.idempotencyKey !== undefined && request.refusal !== 'refund') {
      return new ProviderUnavailable('mollie', reason)
    }
    return new PaymentRefused(refusedFields[field ?? ''] ?? request.refusal ?? 'payment', reason)
  }
  // a key that is wrong or may not do this is our fault, and mended by the operator
  return new ProviderUnavailable('mollie', reason)
}

function problemOf(text: string): Problem {
  const parsed = problem.safeParse(json(text))
  return parsed.success ? parsed.data : {}
}

function json(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What fetch hides below its own words. */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'failed'
  const { cause } = error
  return cause instanceof Error ? `${error.message} (${cause.message})` : error.message
}
