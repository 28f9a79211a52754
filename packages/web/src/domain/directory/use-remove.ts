import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '../../router/router-context.tsx'
import { offerUndo } from '../../ui/toasts/offer-undo.ts'
import { listOf } from './kind.ts'
import { forgetKind, type ObjectKind, removeObject } from './kind-calls.ts'
import { useRestore } from './use-restore.ts'

/** Deletes an object, leads to the list of its kind and offers to undo it there. */
export function useRemove(kind: ObjectKind, id: number, undo: string): () => Promise<void> {
  const client = useQueryClient()
  const navigate = useNavigate()
  const restore = useRestore(kind)
  return async () => {
    const { message } = await removeObject(kind, id)
    offerUndo(message, undo, () => restore(id))
    forgetKind(client, kind, { later: true })
    await navigate({ to: listOf(kind), ignoreBlocker: true })
  }
}
