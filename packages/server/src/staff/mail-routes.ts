import type { MailTrace } from '../mailflow/trace/mail-trace.ts'
import type { Db } from '../platform/db/database.ts'
import type { Api } from '../platform/http/api.ts'
import { requireSeen } from './staff-user.ts'

/** Serves the mail of a user, and of the accounts the user owns, for staff who manage them. */
export function serveStaffMail(
  api: Api,
  { db, trace }: { readonly db: Db; readonly trace: MailTrace },
): void {
  api.serve('GET /api/v4/users/{id}/mail', async ({ principal, params, query }) => {
    const { user } = await requireSeen(db, principal, params.id)
    return trace.messages({ userId: user.id, accounts: 'owned' }, query)
  })
}
