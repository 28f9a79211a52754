import { canonicalAddress, displayAddress } from '@gatehouse/contract/canonical-address'
import { useEffect, useState } from 'react'
import { useApiPage } from '../../platform/api/query.tsx'
import { hasPermission } from '../../platform/session/auth.ts'
import type { Suggestion } from './suggest-input.tsx'

/** How long typing must rest before the server is asked, in milliseconds. */
const rest = 200
const most = 8

export interface AddressSources {
  /** Distribution lists as well as users. */
  lists?: boolean
  /** Addresses that are no answer, such as those that are chosen already. */
  besides?: readonly string[]
}

/** Users of the account, and its lists, that match what was typed; nothing for who may not see them. */
export function useAddressSuggestions(
  text: string,
  { lists = false, besides = [] }: AddressSources = {},
): Suggestion[] {
  const search = useRested(text.trim())
  const query = { search: search || null, size: most }
  const isAsked = search !== '' && text.trim() !== ''
  const users = useApiPage('GET /api/v4/users', { query }, { enabled: isAsked && hasPermission('users') })
  const groups = useApiPage(
    'GET /api/v4/groups',
    { query },
    { enabled: isAsked && lists && hasPermission('distlists') },
  )
  if (!isAsked) return []
  const found: Suggestion[] = [
    ...(users.data?.list ?? []).map(({ email, first_name, last_name }) => ({
      value: displayAddress(email),
      name: [first_name, last_name].filter(Boolean).join(' '),
    })),
    ...(lists ? (groups.data?.list ?? []) : []).map(({ email, name }) => ({
      value: displayAddress(email),
      name,
      kind: 'list' as const,
    })),
  ]
  const left = new Set(besides.map(canonicalAddress))
  return found.filter(({ value }) => !left.has(canonicalAddress(value))).slice(0, most)
}

/** A value once it has not changed for a moment; the first one at once. */
function useRested<T>(value: T): T {
  const [rested, setRested] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), rest)
    return () => clearTimeout(timer)
  }, [value])
  return rested
}
