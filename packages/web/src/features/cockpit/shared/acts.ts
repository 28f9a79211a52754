import { useQueryClient } from '@tanstack/react-query'
import { toasts } from '../../../ui/toasts/store.ts'

/** Does something to an object of a customer: says how it went, and reads anew whatever is on the screen. */
export function useAct(): <A extends { message: string }>(send: () => Promise<A>) => Promise<A> {
  const client = useQueryClient()
  return async (send) => {
    const answer = await send()
    toasts.success(answer.message)
    // An act of staff changes state, money, log and lists alike; all of that is little.
    await client.invalidateQueries()
    return answer
  }
}
