import { z } from 'zod'
import { fetchOf } from '../../../platform/tracing/tracer.ts'
import { PaymentRefused, ProviderUnavailable, type Refusal } from '../providers/provider-errors.ts'

/** Access to Mollie. */
export interface MollieAccess {
  /** API key; never logged. */
  readonly key: string
  /** Defaults to Mollie's own URL. */
  readonly apiUrl?: string
  /** Timeout of a request in milliseconds; default ten seconds. */
  readonly timeout?: number
}

export interface MollieRequest {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Below `/v2`, with the query. */
  readonly path: string
  readonly body?: unknown
  /**
   * Requests repeated with the same key within an hour are processed once
   * (docs.mollie.com/reference/api-idempotency).
   */
  readonly idempotencyKey?: string
  /** What a rejection means to the customer, unless the field named by Mollie is more specific. */
  readonly refusal?: Refusal
}

/** The object doesn't exist at Mollie, or no longer does. */
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

/** Responses are a few kilobytes; anything larger isn't from Mollie. */
const longestAnswer = 4 * 1024 * 1024

const fetchMollie = fetchOf('mollie')

/**
 * A thin client for Mollie's API v2 (docs.mollie.com/reference). It doesn't retry, because only callers know
 * what may be repeated, and when. Responses are validated; an invalid one counts as an outage.
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

  /** Sends a request and parses its response. */
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

  /** Like `call`, but returns undefined if the object doesn't exist, or no longer does. */
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
      response = await fetchMollie(`${this.#base}${request.path}`, {
        method: request.method,
        // a redirect would forward the key
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
    // the same request with the same key is still in progress
    if (status === 409 && request.idempotencyKey !== undefined && request.refusal !== 'refund') {
      return new ProviderUnavailable('mollie', reason)
    }
    return new PaymentRefused(refusedFields[field ?? ''] ?? request.refusal ?? 'payment', reason)
  }
  // an invalid or unauthorized key is our fault, to be fixed by the operator
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

/** The underlying cause, which fetch hides. */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'failed'
  const { cause } = error
  return cause instanceof Error ? `${error.message} (${cause.message})` : error.message
}
