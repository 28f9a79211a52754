import type { Api } from '../../platform/http/api.ts'
import type { MailTrace } from './mail-trace.ts'

/** Serves the calls of the page "Where is my mail?" for users. Staff have their own. */
export function serveMailTrace(api: Api, trace: MailTrace): void {
  api.serve('GET /api/v4/mail/messages', ({ principal, query }) =>
    trace.messages({ userId: principal.userId, accounts: 'controlled' }, query),
  )
}
