import { requireUser } from '../accounts/access.ts'
import type { AccountViews } from '../accounts/account-views.ts'
import { canDelete } from '../accounts/policy.ts'
import { actorOf } from '../accounts/user-parts.ts'
import type { Config } from '../config.ts'
import { audit } from '../platform/audit.ts'
import type { Api } from '../platform/http/api.ts'
import { Forbidden, NotFound } from '../platform/http/errors.ts'
import { randomToken } from '../platform/ids.ts'
import { withQuery } from './answer-address.ts'
import { type ApproveParts, issueCode } from './approve.ts'
import { webmailClient } from './built-in-clients.ts'
import { readBuiltIn } from './client-store.ts'
import { readPerson } from './person-store.ts'
import { grantedScopes } from './scopes.ts'

export interface WebmailLoginParts extends Omit<ApproveParts, 'config'> {
  readonly config: Pick<Config, 'APP_URL' | 'APP_WITH_LOGINAS'>
  readonly views: AccountViews
}

/** Opens the webmail of somebody of the own account; reference api-auth §10. It leaves an entry in that user's record. */
export function serveWebmailLogin(api: Api, parts: WebmailLoginParts): void {
  const { db, clock, views, config } = parts
  api.serve(
    'POST /api/v4/users/{id}/login-as',
    async ({ principal, params, ip }) => {
      const { user, subscriptions } = await requireUser(views, principal, params.id, canDelete)
      if (!subscriptions.some(({ title }) => title === 'mailbox')) throw new Forbidden()
      if ((await readPerson(db, String(user.id))) === undefined) throw new Forbidden()
      const client = await readBuiltIn(db, webmailClient)
      const library = await parts.provider.get()
      const libraryClient = client && (await library.Client.find(client.id))
      const [redirectUri] = client?.redirect_uris ?? []
      if (client === undefined || libraryClient === undefined || redirectUri === undefined)
        throw new NotFound()
      const state = randomToken(16)
      const request = {
        libraryClient,
        place: { redirectUri, mode: 'query' as const, state },
        scopes: grantedScopes('email openid auth.token', client.scopes),
        nonce: randomToken(16),
        codeChallenge: undefined,
      }
      await audit(db, clock, {
        ...{ tenantId: user.tenantId, objectType: 'user', objectId: user.id, event: 'user.webmail-opened' },
        actor: actorOf(principal, { ip }),
        data: { client: client.name },
      })
      const code = await issueCode(library, request, user.id, clock.now())
      const answer = { code, state, iss: config.APP_URL, helpdesk: '1' }
      return { status: 'success', redirectUrl: withQuery(redirectUri, answer) }
    },
    { isOffered: config.APP_WITH_LOGINAS },
  )
}
