import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../platform/api/api.ts'
import { ApiError } from '../../platform/api/api-error.ts'
import { reportFieldErrors } from '../../platform/api/report-error.ts'
import { toasts } from '../../ui/toasts/store.ts'
import { forgetLists } from './user-calls.ts'

/** Brings a deleted user back and says so, or why it cannot be. */
export function useRestore(): (id: number) => Promise<void> {
  const client = useQueryClient()
  return async (id) => {
    try {
      const { message } = await call('POST /api/v4/users/{id}/restore', {
        params: { id: String(id) },
        body: {},
      })
      toasts.success(message)
    } catch (error) {
      // There is no form whose fields could show it.
      if (error instanceof ApiError && error.errors) reportFieldErrors(error)
    }
    forgetLists(client)
  }
}
