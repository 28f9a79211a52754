import type { QueryClient } from '@tanstack/react-query'
import { call } from '../../platform/api/api.ts'
import { apiQuery } from '../../platform/api/query.tsx'

/** Everything that somebody can sign in with beside the password. */
export const factorsQuery = apiQuery('GET /api/v4/factors')

/** Has what shows factors read them anew. */
export function rereadFactors(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: factorsQuery.queryKey })
}

/** The kinds of factors that have a list, and how their calls and names are called. */
export const kinds = {
  totp: {
    rename: (id: string, label: string) =>
      call('PUT /api/v4/factors/totp/{id}', { params: { id }, body: { label } }),
    remove: (id: string) => call('DELETE /api/v4/factors/totp/{id}', { params: { id } }),
    /** Where the server says what is wrong with a name. */
    nameField: 'label',
  },
  passkey: {
    rename: (id: string, name: string) =>
      call('PUT /api/v4/factors/passkeys/{id}', { params: { id }, body: { name } }),
    remove: (id: string) => call('DELETE /api/v4/factors/passkeys/{id}', { params: { id } }),
    nameField: 'name',
  },
} as const

export type FactorKind = keyof typeof kinds

/** Characters that the name of a factor may have. */
export const longestName = 100
