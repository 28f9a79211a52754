import { canonicalAddress, displayAddress } from '@gatehouse/contract/canonical-address'
import { useEffect, useState } from 'react'
import { useApiPage } from '../../platform/api/query.tsx'
import { hasPermission } from '../../platform/session/auth.ts'
import type { Suggestion } from './suggest-input.tsx'

/** Debounce before the server is queried, in milliseconds. */
const rest = 200
/** Maximum number of suggestions. */
const most = 8
/** Number of results requested, as some are filtered out. */
const mostAsked = 25

export interface AddressSources {
  /** Includes distribution lists. */
  lists?: boolean
  /** Addresses already chosen. */
  besides?: readonly string[]
  /** An address to exclude. */
  except?: string | undefined
  /** Restricts results to this domain. */
  domain?: string | undefined
}

export interface AddressSuggestions {
  list: readonly Suggestion[]
  /** Why a finished search has no suggestions: no match, or the match is already chosen. */
  nothing?: 'none' | 'known' | undefined
}

/** Whether the signed-in user may search the users of the account. */
export function maySearchPeople(): boolean {
  return hasPermission('users')
}

/** Returns users and lists of the account that match the text; nothing if the user may not see them. */
export function useAddressSuggestions(
  text: string,
  { lists = false, besides = [], except, domain }: AddressSources = {},
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
  if (!isAsked) return { list: [] }
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
  const chosen = new Set(besides.map(canonicalAddress))
  const possible = found.filter(({ value }) => isPossible(canonicalAddress(value), except, domain))
  const list = possible.filter(({ value }) => !chosen.has(canonicalAddress(value))).slice(0, most)
  const isOver = users.isSuccess && !users.isPlaceholderData && search === typed && !groups.isFetching
  if (!isOver || list.length > 0) return { list }
  return { list, nothing: possible.length > 0 ? 'known' : 'none' }
}

function isPossible(address: string, except: string | undefined, domain: string | undefined): boolean {
  return (
    address !== canonicalAddress(except ?? '') && (domain === undefined || address.endsWith(`@${domain}`))
  )
}

/** Debounces a value; the first one is returned at once. */
function useRested<T>(value: T): T {
  const [rested, setRested] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), rest)
    return () => clearTimeout(timer)
  }, [value])
  return rested
}
