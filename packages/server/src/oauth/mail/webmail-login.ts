import type { Api } from '../../platform/http/api.ts'
import { Forbidden, NotFound } from '../../platform/http/errors.ts'
import { randomToken } from '../../platform/ids.ts'
import type { FeatureSettings } from '../../platform/settings/feature-settings.ts'
import type { SiteConfig } from '../../platform/settings/site-settings.ts'
import { requireUser } from '../../users/access.ts'
import type { AccountViews } from '../../users/account-view/account-views.ts'
import { canDelete } from '../../users/policy.ts'
import { withQuery } from '../authorization/answer-address.ts'
import { type ApproveParts, issueCode } from '../authorization/approve.ts'
import { borrowerOf, recordWebmail } from '../authorization/borrowed-grant.ts'
import { readPerson } from '../authorization/person-store.ts'
import { webmailClient } from '../clients/built-in-clients.ts'
import { readBuiltIn } from '../clients/client-store.ts'
import { grantedScopes } from '../tokens/scopes.ts'

export interface WebmailLoginParts extends Omit<ApproveParts, 'config'> {
  readonly config: Pick<SiteConfig, 'APP_URL'> & Pick<FeatureSettings, 'APP_WITH_LOGINAS'>
  readonly views: AccountViews
}

/**
 * Opens the webmail of another user of the account; reference api-auth §10. It is logged for that user and
 * ends with the caller's session, after an hour at most.
 */
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
      const [redirectUri] = client?.redirectUris ?? []
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
      await recordWebmail(parts, { principal, ip }, user, client)
      const session = {
        userId: user.id,
        signedIn: clock.now(),
        borrower: borrowerOf(principal, clock),
      }
      const code = await issueCode(parts, library, request, session)
      const answer = { code, state, iss: config.APP_URL, helpdesk: '1' }
      return { status: 'success', redirectUrl: withQuery(redirectUri, answer) }
    },
    { isOffered: config.APP_WITH_LOGINAS },
  )
}
