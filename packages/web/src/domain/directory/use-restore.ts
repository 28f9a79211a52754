import { useQueryClient } from '@tanstack/react-query'
import { ApiError } from '../../platform/api/api-error.ts'
import { reportFieldErrors } from '../../platform/api/report-error.ts'
import { toasts } from '../../ui/toasts/store.ts'
import { forgetKind, type Kind } from './kind.ts'

/** Brings a deleted object back and says so, or why it cannot be, such as an address that somebody has by now. */
export function useRestore(kind: Pick<Kind, 'reads' | 'restore'>): (id: number) => Promise<void> {
  const client = useQueryClient()
  return async (id) => {
    try {
      const { message } = await kind.restore(id)
      toasts.success(message)
    } catch (error) {
      // There is no form whose fields could show it.
      if (error instanceof ApiError && error.errors) reportFieldErrors(error)
    }
    forgetKind(client, kind)
  }
}
