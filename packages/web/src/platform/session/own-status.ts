import { call } from '../api/api.ts'
import { auth, updateStatus } from './auth.ts'

/** Refetches the user's permissions, for example after the account's first domain was added. */
export async function rereadOwnStatus(): Promise<void> {
  const id = auth.get().user?.id
  if (id === undefined) return
  const params = { id: String(id) }
  // The action itself succeeded; a late update of flags isn't worth an error.
  const answer = await call('GET /api/v4/users/{id}/status', { params, ignoreErrors: true }).catch(
    () => undefined,
  )
  if (answer && auth.get().user?.id === id) updateStatus(answer)
}
