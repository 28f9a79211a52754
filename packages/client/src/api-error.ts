import type { ErrorBody } from './calls.ts'

/** A response other than 2xx, or no response at all (`status` is 0 then, and `cause` has the reason). */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  /** The parsed body; undefined if it isn't JSON. */
  readonly body: ErrorBody | undefined
  /** Identifies the request in the server's log. */
  readonly requestId: string | undefined

  constructor(message: string, facts: ApiErrorFacts) {
    super(message, { cause: facts.cause })
    this.status = facts.status
    this.body = facts.body
    this.requestId = facts.requestId
  }

  /** Messages by field of the request; empty unless the status is 422. */
  get fields(): Readonly<Record<string, readonly string[]>> {
    const entries = Object.entries(this.body?.errors ?? {}).map(([field, told]) => [
      field,
      typeof told === 'string' ? [told] : Object.values(told),
    ])
    return Object.fromEntries(entries)
  }
}

interface ApiErrorFacts {
  readonly status: number
  readonly body?: ErrorBody
  readonly requestId?: string
  readonly cause?: unknown
}

/** Makes the error of a response. Reads its body. */
export async function errorOf(response: Response): Promise<ApiError> {
  const text = await response.text().catch(() => '')
  const body = parsed(text)
  const message = body?.message || `${response.status} ${response.statusText}`.trim()
  return new ApiError(message, {
    status: response.status,
    body,
    requestId: response.headers.get('x-request-id') ?? undefined,
  })
}

function parsed(text: string): ErrorBody | undefined {
  try {
    const body: unknown = JSON.parse(text)
    const isError = typeof body === 'object' && body !== null && 'status' in body && body.status === 'error'
    // the contract's error envelope
    return isError ? (body as ErrorBody) : undefined
  } catch {
    // for example the page of a proxy
    return undefined
  }
}
