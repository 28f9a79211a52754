import { useRef } from 'react'

/**
 * Returns idempotency keys: the same request, resent by a second press or after a lost response, gets the
 * same `Idempotency-Key`.
 */
export function useRequestKey(): (said: unknown) => Record<'Idempotency-Key', string> {
  const last = useRef<{ said: string; key: string }>(undefined)
  return (request) => {
    const said = JSON.stringify(request)
    if (last.current?.said !== said) last.current = { said, key: crypto.randomUUID() }
    return { 'Idempotency-Key': last.current.key }
  }
}
