import type { Failure } from './consultation.ts'

/**
 * Why a connection ended. `finished`: closed by the client or after the last reply. `truncated`: closed in the middle of a
 * request. `violation`: protocol violation. `idle`, `slow-request`, `slow-reader`: timeouts. `drained`: closed with the
 * server. `cut`: closed at the end of the server's grace time. `refused`: over the connection limit. `broken`: network or
 * internal error.
 */
export type Ending =
  | 'finished'
  | 'truncated'
  | 'violation'
  | 'idle'
  | 'slow-request'
  | 'slow-reader'
  | 'drained'
  | 'cut'
  | 'refused'
  | 'broken'

export interface AnsweredRequest {
  readonly protocol: string
  /** Kind of request, from a fixed set of names, such as `policy` or `recipient`. */
  readonly label: string
  readonly outcome: 'answered' | Failure
  /** Milliseconds that the client waited for the handler. */
  readonly milliseconds: number
}

/** Receives events of the servers, for metrics and logs. */
export interface Observer {
  onAnswer?(answer: AnsweredRequest): void
  onEnd?(end: { readonly protocol: string; readonly ending: Ending }): void
  /** Errors of handlers, and violations with their reason. */
  onError?(error: unknown, protocol: string): void
}

/** Wraps an observer so that its errors don't affect the server. */
export function guarded(observer: Observer): Required<Observer> {
  return {
    onAnswer: (answer) => quietly(() => observer.onAnswer?.(answer)),
    onEnd: (end) => quietly(() => observer.onEnd?.(end)),
    onError: (error, protocol) => quietly(() => observer.onError?.(error, protocol)),
  }
}

function quietly(act: () => void): void {
  try {
    act()
  } catch {
    // a failing metric must not affect mail
  }
}
