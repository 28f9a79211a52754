import { useRef } from 'react'

/**
 * Keys for requests that must not happen twice: the same request, sent again by a second press or after an answer
 * that was lost, gets the same `Idempotency-Key`.
 */
export function useRequestKey(): (said: unknown) => Record<'Idempotency-Key', string> {
  const last = useRef<{ said: string; key: string }>(undefined)
  return (request) => {
    const said = JSON.stringify(request)
    if (last.current?.said !== said) last.current = { said, key: crypto.randomUUID() }
    return { 'Idempotency-Key': last.current.key }
  }
}
