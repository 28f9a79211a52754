import { call } from '../api/api.ts'
import { auth, updateStatus } from './auth.ts'

/** Asks anew what the signed-in person may do, for example after the first domain of the account was added. */
export async function rereadOwnStatus(): Promise<void> {
  const id = auth.get().user?.id
  if (id === undefined) return
  const params = { id: String(id) }
  // What was done has succeeded; that the flags follow later is nobody's worry.
  const answer = await call('GET /api/v4/users/{id}/status', { params, ignoreErrors: true }).catch(
    () => undefined,
  )
  if (answer && auth.get().user?.id === id) updateStatus(answer)
}
