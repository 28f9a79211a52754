import { useQueryClient } from '@tanstack/react-query'
import { ApiError } from '../../platform/api/api-error.ts'
import { reportFieldErrors } from '../../platform/api/report-error.ts'
import { useActWith } from '../../platform/api/use-act.ts'
import { forgetKind, type ObjectKind, restoreObject } from './kind-calls.ts'

/** Brings a deleted object back and says so, or why it cannot be, such as an address that somebody has by now. */
export function useRestore(kind: ObjectKind): (id: number) => Promise<void> {
  const client = useQueryClient()
  const act = useActWith()
  return async (id) => {
    try {
      await act(() => restoreObject(kind, id))
    } catch (error) {
      // There is no form whose fields could show it.
      if (error instanceof ApiError && error.errors) reportFieldErrors(error)
    }
    forgetKind(client, kind)
  }
}
