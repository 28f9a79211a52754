import type { UserDetail } from '@gatehouse/contract/directory/users'
import type { QueryClient } from '@tanstack/react-query'
import type { Answer } from '../../platform/api/api.ts'
import { apiQuery } from '../../platform/api/query.tsx'

/** The query of one user. */
export function userQuery(id: number | string) {
  return apiQuery('GET /api/v4/users/{id}', { params: { id: String(id) } })
}

/** Refetches a user and invalidates everything that shows users. */
export async function rereadUser(client: QueryClient, id: number): Promise<UserDetail> {
  const fresh = await client.fetchQuery({ ...userQuery(id), staleTime: 0 })
  forgetLists(client)
  return fresh
}

/** Invalidates cached lists and activity of users. */
export function forgetLists(client: QueryClient): void {
  for (const route of [
    'GET /api/v4/users',
    'GET /api/v4/users/summary',
    'GET /api/v4/users/{id}/skus',
    'GET /api/v4/users/{id}/events',
  ] as const) {
    void client.invalidateQueries({ queryKey: [route] })
  }
}

/** Merges the response of a status call into a user. */
export function withStatus(user: UserDetail, answer: Answer<'GET /api/v4/users/{id}/status'>): UserDetail {
  const { status: _outcome, message: _message, ...facts } = answer
  const { isActive, isSuspended, isDeleted, isImapReady, isLdapReady, ...rest } = facts
  const { isDegraded, isRestricted, isReady, isAccountDegraded, ...statusInfo } = rest
  return {
    ...user,
    ...{ isActive, isSuspended, isDeleted, isImapReady, isLdapReady },
    ...{ isDegraded, isRestricted, isReady, isAccountDegraded },
    statusInfo,
  }
}
