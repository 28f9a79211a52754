import type { Ground } from '../platform/ground.ts'
import { isApiKey } from '../platform/http/callers/api-key-format.ts'
import type { Identity, IdentityConfig } from '../sessions/plugin.ts'
import { serveBrowser } from './authorization/browser-routes.ts'
import { serveClients } from './clients/client-routes.ts'
import { mountProvider } from './library/mount.ts'
import { OpenIdProvider } from './library/provider.ts'
import { userOfMailToken } from './mail/mail-store.ts'
import { serveWebmailLogin } from './mail/webmail-login.ts'
import { handleOAuth } from './oauth-jobs.ts'
import type { OAuthSettings } from './oauth-settings.ts'
import { serveOAuth } from './routes.ts'
import { authenticateThirdParty } from './tokens/access-tokens.ts'

/** Adds the OpenID provider, its clients, and authentication of API calls with its tokens. */
export async function addOAuth(ground: Ground<IdentityConfig & OAuthSettings>, identity: Identity) {
  const { api, config, db, pool, clock, fastify, facts, jobs, purge, secrets, throttle } = ground
  const { apiKeys, tokens, sessionUse, stepUp, signIns } = identity
  const provider = new OpenIdProvider({ ...ground, signIns })
  handleOAuth(jobs, { keys: provider.keys, days: config.OAUTH_KEY_DAYS })
  purge.add(...provider.purgeable)
  api.recognise({
    authenticate: async (token, from) => {
      if (isApiKey(token)) return apiKeys.authenticate(token, from)
      const principal = await tokens.authenticate(token)
      if (principal === undefined) return authenticateThirdParty(pool, clock, token)
      sessionUse.note(principal.sessionId, from.ip)
      return principal
    },
    requireFresh: (principal) => stepUp.requireFresh(principal),
    onForbidden: (principal, ip, call) => signIns.forbidden(principal, ip, call),
  })
  const parts = { ...ground, ...identity, provider }
  serveOAuth(api, parts)
  serveClients(api, parts)
  serveWebmailLogin(api, parts)
  serveBrowser({ config, clock, secrets, fastify, facts, provider })
  await mountProvider({ fastify, facts, provider, throttle })
  const mailTokens = {
    userOfPassword: (password: string) => provider.mailPasswords.verify(password),
    userOfAccessToken: (token: string) => userOfMailToken(db, clock, token),
  }
  return { provider, mailTokens }
}
