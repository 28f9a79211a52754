import { useQueryClient } from '@tanstack/react-query'
import { ApiError } from '../../platform/api/api-error.ts'
import { reportFieldErrors } from '../../platform/api/report-error.ts'
import { useActWith } from '../../platform/api/use-act.ts'
import { forgetKind, type ObjectKind, restoreObject } from './kind-calls.ts'

/** Restores a deleted object and reports the result, such as an address that is now taken. */
export function useRestore(kind: ObjectKind): (id: number) => Promise<void> {
  const client = useQueryClient()
  const act = useActWith()
  return async (id) => {
    try {
      await act(() => restoreObject(kind, id))
    } catch (error) {
      // No form has fields to show these errors.
      if (error instanceof ApiError && error.errors) reportFieldErrors(error)
    }
    forgetKind(client, kind)
  }
}
