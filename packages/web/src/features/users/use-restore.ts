import { useQueryClient } from '@tanstack/react-query'
import { ApiError } from '../../platform/api/api-error.ts'
import { reportFieldErrors } from '../../platform/api/report-error.ts'
import { useAct } from '../../platform/api/use-act.ts'
import { forgetLists } from './user-calls.ts'

/** Restores a deleted user and reports success or the reason for failure. */
export function useRestore(): (id: number) => Promise<void> {
  const client = useQueryClient()
  const restore = useAct('POST /api/v4/users/{id}/restore')
  return async (id) => {
    try {
      await restore({ params: { id: String(id) }, body: {} })
    } catch (error) {
      // No form is open to show field errors.
      if (error instanceof ApiError && error.errors) reportFieldErrors(error)
    }
    forgetLists(client)
  }
}
