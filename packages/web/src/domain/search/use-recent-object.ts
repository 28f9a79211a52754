import type { SearchHit, SearchType } from '@gatehouse/contract/search'
import { useEffect } from 'react'
import { useUser } from '../../platform/session/auth.ts'
import { remember } from '../../platform/session/recent.ts'

/** Remembers an object whose page was opened, for the empty search box. */
export function useRecentObject(type: SearchType, { id, title, detail }: Omit<SearchHit, 'type'>): void {
  const userId = useUser()?.id
  useEffect(() => {
    if (userId !== undefined && userId !== id) remember(userId, { hit: { type, id, title, detail } })
  }, [userId, type, id, title, detail])
}
