import { useQueryClient } from '@tanstack/react-query'
import { reportDone } from '../../platform/api/undo.ts'
import { useNavigate } from '../../router/router-context.tsx'
import { listOf } from './kind.ts'
import { forgetKind, type ObjectKind, removeObject, restoreObject } from './kind-calls.ts'

/** Deletes an object, opens the list of its kind and offers to undo it there. */
export function useRemove(kind: ObjectKind, id: number): () => Promise<void> {
  const client = useQueryClient()
  const navigate = useNavigate()
  return async () => {
    const { message } = await removeObject(kind, id)
    reportDone(
      message,
      () => restoreObject(kind, id),
      () => forgetKind(client, kind),
    )
    forgetKind(client, kind, { later: true })
    await navigate({ to: listOf(kind), ignoreBlocker: true })
  }
}
