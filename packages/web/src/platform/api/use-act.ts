import { type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query'
import { toasts } from '../../ui/toasts/store.ts'
import { type Answer, type CallOptions, call, type RouteKey } from './api.ts'

/** Routes whose answers say in words what was done. */
type ActRoute = { [R in RouteKey]: Answer<R> extends { message: string } ? R : never }[RouteKey]

/** What an act changes: queries of these routes or with these keys, or whatever the function reads again. */
export type Reread = readonly (RouteKey | QueryKey)[] | ((client: QueryClient) => unknown)

/** For an act whose traces are all over the screen, such as one of staff: state, money, activity and lists. */
export const everything: Reread = (client) => client.invalidateQueries()

/**
 * An act on the server: `const end = useAct('DELETE /api/v4/sessions/{id}', ['GET /api/v4/sessions'])`, then
 * `await end({ params }, onClose)`. Shows the server's words, calls `onDone`, and resolves once what changed has been read
 * again. Failures are those of `call`: shown as a toast and thrown.
 */
export function useAct<R extends ActRoute>(route: R, reread?: Reread) {
  const act = useActWith(reread)
  return (options?: CallOptions<R>, onDone?: (answer: Answer<R>) => void): Promise<Answer<R>> =>
    act<Answer<R>>(() => call(route, options), onDone)
}

/** The same for an act that is more than one call, or one whose route is chosen late. */
export function useActWith(reread: Reread = []) {
  const client = useQueryClient()
  return async <A extends { message: string }>(
    send: () => Promise<A>,
    onDone?: (answer: A) => void,
  ): Promise<A> => {
    const answer = await send()
    toasts.success(answer.message)
    onDone?.(answer)
    if (typeof reread === 'function') await reread(client)
    else await Promise.all(reread.map((one) => client.invalidateQueries({ queryKey: keyOf(one) })))
    return answer
  }
}

function keyOf(one: RouteKey | QueryKey): QueryKey {
  return typeof one === 'string' ? [one] : one
}
