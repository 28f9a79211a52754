import type { PasswordSettings } from '../passwords/password-settings.ts'
import type { Passwords } from '../passwords/plugin.ts'
import type { Ground } from '../platform/ground.ts'
import type { RequestFacts } from '../platform/http/call.ts'
import type { FeatureSettings } from '../platform/settings/feature-settings.ts'
import type { HostingConfig } from '../platform/settings/hosting-settings.ts'
import type { SiteConfig } from '../platform/settings/site-settings.ts'
import type { Users } from '../users/plugin.ts'
import type { UserSettings } from '../users/user-settings.ts'
import { ApiKeyCallers } from './api-keys/api-key-callers.ts'
import type { ApiKeySettings } from './api-keys/api-key-settings.ts'
import { handleExpiringKeys, PurgeApiKeys } from './api-keys/api-keys.ts'
import { serveApiKeys } from './api-keys/routes.ts'
import { serveAttempts } from './companions/attempt-routes.ts'
import type { CompanionSettings } from './companions/companion-settings.ts'
import { CompanionWatch } from './companions/companion-watch.ts'
import { PurgeCompanions } from './companions/purge-companions.ts'
import { handlePush } from './companions/push/push.ts'
import { pushKeys } from './companions/push/push-keys.ts'
import { serveCompanions } from './companions/routes.ts'
import { handleUndecided } from './companions/undecided.ts'
import type { IdentitySettings } from './identity-settings.ts'
import { serveOwnSessions } from './own-sessions/own-session-routes.ts'
import { handleResetMails } from './password-reset/reset-mail.ts'
import { servePasswords } from './password-reset/routes.ts'
import { serveSessions } from './routes.ts'
import { Factors } from './second-factor/factors.ts'
import { PasskeyChallenges } from './second-factor/passkey-challenges.ts'
import { Passkeys } from './second-factor/passkeys.ts'
import { RecoveryCodes } from './second-factor/recovery-codes.ts'
import { relyingParty } from './second-factor/relying-party.ts'
import { serveFactors } from './second-factor/routes.ts'
import { TotpFactors } from './second-factor/totp.ts'
import { handleSecurityNotices, tellSecurity } from './security-notice.ts'
import { sessionResponse } from './session-response.ts'
import { SignInDevices } from './sign-in/sign-in-device.ts'
import { SignInLog } from './sign-in/sign-in-log.ts'
import { StepUp } from './step-up/step-up.ts'
import { SessionUse } from './tokens/session-use.ts'
import type { TokenPair } from './tokens/token-facts.ts'
import { Tokens } from './tokens/tokens.ts'
import { readUserAgent } from './user-agent.ts'

export type IdentityConfig = SiteConfig &
  FeatureSettings &
  HostingConfig &
  UserSettings &
  PasswordSettings &
  IdentitySettings &
  CompanionSettings &
  ApiKeySettings

/** Users and authentication: what this floor provides to the rooms above. */
export type Identity = Users & Passwords & ReturnType<typeof addSessions>

/** What the rooms above must provide. */
type Above = Pick<Parameters<typeof serveSessions>[1], 'revokeGrant'>

/** Sign-in, tokens, second factors, companion devices, password reset, API keys, and a user's sessions. */
export function addSessions(ground: Ground<IdentityConfig>, below: Users & Passwords, above: Above) {
  const { api, config, fastify, jobs, db, clock, purge } = ground
  const { codes, presenter, views } = below
  const credentials = addCredentials(ground, below)
  const { tokens, sessionUse, devices, factors, passkeys, totp, recovery, stepUp } = credentials
  const signIns = new SignInLog(ground)
  const companions = addCompanions(ground)
  const { watch, pushKeys: keys } = companions
  fastify.addHook('preClose', () => watch.stop())
  handleResetMails(jobs, { ...ground, codes, validHours: config.VERIFICATION_CODE_EXPIRY })
  handleSecurityNotices(jobs, ground)
  const gate = { db, clock, jobs, watch, isOffered: config.APP_WITH_COMPANION_APP }
  const answer = (userId: number, pair: TokenPair | Promise<TokenPair>, request: RequestFacts) =>
    sessionResponse(views, userId, pair, (tenantId) => presenter.facts(request, tenantId))

  const apiKeys = new ApiKeyCallers({ db, clock, rules: below.secondFactorRules, rate: config.API_KEY_RATE })
  handleExpiringKeys(jobs, ground)
  const built = {
    apiKeys,
    tokens,
    sessionUse,
    devices,
    factors,
    passkeys,
    stepUp,
    signIns,
    gate,
    watch,
    answer,
  }
  const parts = { ...ground, ...below, ...built }
  serveSessions(api, { ...parts, ...above })
  serveCompanions(api, { ...parts, pushKeys: keys })
  serveAttempts(api, parts)
  serveFactors(api, { ...parts, totp, recovery })
  serveOwnSessions(api, parts)
  serveApiKeys(api, parts)
  servePasswords(api, { ...parts, tenantId: config.APP_TENANT_ID })
  purge.add(new PurgeCompanions(db, clock), new PurgeApiKeys(db, clock))
  return built
}

/** Tokens and second factors. */
function addCredentials(
  ground: Ground<IdentityConfig>,
  { hasher, secondFactorRules: rules }: Users & Passwords,
) {
  const { config, db, pool, clock, log, secrets, locator, throttle, purge } = ground
  const life = {
    access: config.OAUTH_TOKEN_EXPIRY,
    refresh: config.OAUTH_REFRESH_TOKEN_EXPIRY,
    session: config.SESSION_LIFETIME,
  }
  const devices = new SignInDevices(db, clock, locator, (trx, userId, { ip, userAgent }) =>
    tellSecurity(trx, { clock }, { userId, kind: 'new-device', ip, device: readUserAgent(userAgent) }),
  )
  const tokens = new Tokens(db, pool, clock, life, { devices, rules, secrets })
  const sessionUse = new SessionUse(db, clock, (error) =>
    log.error({ err: error }, 'recording the last use of sessions failed'),
  )
  const totp = new TotpFactors(clock, secrets, config.APP_NAME)
  const recovery = new RecoveryCodes(clock, secrets)
  const challenges = new PasskeyChallenges(db, clock)
  const passkeys = new Passkeys({ db, clock, secrets, challenges, party: relyingParty(config) })
  const factors = new Factors({ db, clock, totp, recovery, passkeys })
  const stepUp = new StepUp({ db, clock, hasher, throttle, tokens, factors, devices })
  purge.add(tokens, challenges, devices)
  return { devices, tokens, sessionUse, totp, recovery, passkeys, factors, stepUp }
}

/** Companion devices: their notifications, and the watch that notifies sign-ins of decisions. */
function addCompanions(ground: Ground<IdentityConfig>) {
  const { config, db, clock, log, jobs, secrets } = ground
  const keys = pushKeys(secrets)
  const watch = new CompanionWatch(ground.database.sessions, clock, log)
  const contact = `mailto:${config.mailFrom.address}`
  handlePush(jobs, { ...ground, keys, contact, mayBePrivate: config.PUSH_TO_PRIVATE })
  handleUndecided(jobs, db, clock)
  return { watch, pushKeys: keys }
}
