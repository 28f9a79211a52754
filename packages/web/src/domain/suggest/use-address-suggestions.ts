import { canonicalAddress, displayAddress } from '@gatehouse/contract/canonical-address'
import { useEffect, useState } from 'react'
import { useApiPage } from '../../platform/api/query.tsx'
import { hasPermission } from '../../platform/session/auth.ts'
import type { Suggestion } from './suggest-input.tsx'

/** How long typing must rest before the server is asked, in milliseconds. */
const rest = 200
/** Suggestions at a time. */
const most = 8
/** Answers that some are left out of. */
const mostAsked = 25

export interface AddressSources {
  /** Distribution lists as well as users. */
  lists?: boolean
  /** Addresses that are no answer, such as those that are chosen already. */
  besides?: readonly string[]
  /** Only addresses in this domain are an answer. */
  domain?: string | undefined
}

export interface AddressSuggestions {
  list: readonly Suggestion[]
  /** The search for what was typed is over and has found nothing. */
  isNothing: boolean
}

/** Whether the reader may search the users of the account. */
export function maySearchPeople(): boolean {
  return hasPermission('users')
}

/** Users of the account, and its lists, that match what was typed; nothing for who may not see them. */
export function useAddressSuggestions(
  text: string,
  { lists = false, besides = [], domain }: AddressSources = {},
): AddressSuggestions {
  const typed = text.trim()
  const search = useRested(typed)
  const query = { search: search || null, size: domain === undefined ? most : mostAsked }
  const isAsked = search !== '' && typed !== ''
  const users = useApiPage('GET /api/v4/users', { query }, { enabled: isAsked && maySearchPeople() })
  const groups = useApiPage(
    'GET /api/v4/groups',
    { query },
    { enabled: isAsked && lists && hasPermission('distlists') },
  )
  if (!isAsked) return { list: [], isNothing: false }
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
  const ending = domain === undefined ? '' : `@${domain}`
  const list = found
    .filter(({ value }) => !left.has(canonicalAddress(value)) && canonicalAddress(value).endsWith(ending))
    .slice(0, most)
  const isOver = users.isSuccess && !users.isPlaceholderData && search === typed
  return { list, isNothing: isOver && list.length === 0 && !groups.isFetching }
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
