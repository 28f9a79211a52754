import type { QueryClient } from '@tanstack/react-query'
import { call } from '../../platform/api/api.ts'
import { apiQuery } from '../../platform/api/query.tsx'

/** All factors of the user besides the password. */
export const factorsQuery = apiQuery('GET /api/v4/factors')

/** Invalidates queries that show factors. */
export function rereadFactors(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: factorsQuery.queryKey })
}

/** Kinds of factors that have a list, with their API paths and name fields. */
export const kinds = {
  totp: {
    rename: (id: string, label: string) =>
      call('PUT /api/v4/factors/totp/{id}', { params: { id }, body: { label } }),
    remove: (id: string) => call('DELETE /api/v4/factors/totp/{id}', { params: { id } }),
    /** Field under which the server reports errors of the name. */
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

/** Maximum length of a factor's name, in characters. */
export const longestName = 100
