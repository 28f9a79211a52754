import { type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query'
import { type Answer, type CallOptions, call, type RouteKey } from './api.ts'
import { reportDone, type Undo } from './undo.ts'

/** Routes whose responses contain a success message. */
type ActRoute = { [R in RouteKey]: Answer<R> extends { message: string } ? R : never }[RouteKey]

/** What an action changes: queries of these routes or with these keys, or a function that refetches. */
export type Reread = readonly (RouteKey | QueryKey)[] | ((client: QueryClient) => unknown)

/** For actions that affect the whole screen, such as staff actions: state, money, activity and lists. */
export const everything: Reread = (client) => client.invalidateQueries()

/** What follows an act: `onDone` alone, or with the way back. */
export type Afterwards<A> =
  | ((answer: A) => void)
  | {
      onDone?: (answer: A) => void
      /** The toast offers it; absent: it can't be undone. */
      undo?: Undo | undefined
    }

/**
 * An act on the server: `const end = useAct('DELETE /api/v4/sessions/{id}', ['GET /api/v4/sessions'])`, then
 * `await end({ params }, onClose)`. Shows the server's words, calls `onDone`, and resolves once what changed has been read
 * again. With `undo` the words come with a button that takes the act back. Failures are those of `call`: shown as a toast and thrown.
 */
export function useAct<R extends ActRoute>(route: R, reread?: Reread) {
  const act = useActWith(reread)
  return (options?: CallOptions<R>, afterwards?: Afterwards<Answer<R>>): Promise<Answer<R>> =>
    act<Answer<R>>(() => call(route, options), afterwards)
}

/** The same for actions with more than one call or a route chosen at run time. */
export function useActWith(reread: Reread = []) {
  const client = useQueryClient()
  const readAgain = async () => {
    if (typeof reread === 'function') await reread(client)
    else await Promise.all(reread.map((one) => client.invalidateQueries({ queryKey: keyOf(one) })))
  }
  return async <A extends { message: string }>(
    send: () => Promise<A>,
    afterwards: Afterwards<A> = {},
  ): Promise<A> => {
    const { onDone, undo } = typeof afterwards === 'function' ? { onDone: afterwards } : afterwards
    const answer = await send()
    reportDone(answer.message, undo, readAgain)
    onDone?.(answer)
    await readAgain()
    return answer
  }
}

function keyOf(one: RouteKey | QueryKey): QueryKey {
  return typeof one === 'string' ? [one] : one
}
