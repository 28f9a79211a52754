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
  /** Addresses that are chosen already. */
  besides?: readonly string[]
  /** An address that is no answer. */
  except?: string | undefined
  /** Only addresses in this domain are an answer. */
  domain?: string | undefined
}

export interface AddressSuggestions {
  list: readonly Suggestion[]
  /** Why a search that is over has nothing to offer: nobody is found, or who is found is chosen already. */
  nothing?: 'none' | 'known' | undefined
}

/** Whether the reader may search the users of the account. */
export function maySearchPeople(): boolean {
  return hasPermission('users')
}

/** Users of the account, and its lists, that match what was typed; nothing for who may not see them. */
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

/** A value once it has not changed for a moment; the first one at once. */
function useRested<T>(value: T): T {
  const [rested, setRested] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), rest)
    return () => clearTimeout(timer)
  }, [value])
  return rested
}
