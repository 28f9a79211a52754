import type { FilterState, MailFilters } from '@gatehouse/contract/mail/mail-filters'
import { wireDate } from '../platform/clock.ts'
import type { StoredFilters } from './filter-store.ts'
import { filterRevision, noFilters } from './mail-filters.ts'

/** Returns a user's filters as the API sends them. */
export function presentFilters(stored: StoredFilters | undefined, isConnected: boolean): MailFilters {
  const { rules, outOfOffice } = stored ?? noFilters
  const { isPending = false, uploadedAt = null, otherScript = null, problem = null } = stored ?? {}
  return {
    rules: [...rules],
    outOfOffice,
    revision: filterRevision(stored),
    state: filterState(stored, isConnected),
    otherScript,
    problem,
    uploaded_at: isPending || problem !== null || uploadedAt === null ? null : wireDate(uploadedAt),
  }
}

/** Returns whether the mail server uses the filters. */
export function filterState(stored: StoredFilters | undefined, isConnected: boolean): FilterState {
  if (!isConnected) return 'not-connected'
  if (stored === undefined) return 'active'
  if (stored.isPending) return 'pending'
  if (stored.problem !== null) return 'failed'
  return stored.otherScript === null ? 'active' : 'inactive'
}
