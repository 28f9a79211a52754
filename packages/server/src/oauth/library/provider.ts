import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { languages } from '@gatehouse/contract/language'
import { clientScopes } from '@gatehouse/contract/sessions/oauth'
import type { FastifyBaseLogger } from 'fastify'
import type { Account, Configuration, KoaContextWithOIDC, default as Provider } from 'oidc-provider'
import { type Clock, day, minute } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Purgeable } from '../../platform/purge.ts'
import type { Secrets } from '../../platform/secrets.ts'
import type { FeatureSettings } from '../../platform/settings/feature-settings.ts'
import type { SiteConfig } from '../../platform/settings/site-settings.ts'
import { mustUserEnrol } from '../../sessions/enforcement.ts'
import type { IdentitySettings } from '../../sessions/identity-settings.ts'
import type { SignInLog, SignInPlace } from '../../sessions/sign-in/sign-in-log.ts'
import { secondFactorRules } from '../../users/settings/second-factor-policy.ts'
import { type GrantFacts, purgeRecords, readGrant } from '../authorization/grant-store.ts'
import { type Person, readPerson } from '../authorization/person-store.ts'
import { webmailClient } from '../clients/built-in-clients.ts'
import { clientMetadata, hashClientSecret } from '../clients/client.ts'
import { readClient } from '../clients/client-store.ts'
import { MailPasswords } from '../mail/mail-password.ts'
import { copiesOfKeys, type KeySet, SigningKeys } from '../tokens/signing-keys.ts'
import { loadLibrary } from './load-library.ts'
import { ClientAdapter, RecordAdapter } from './record-adapter.ts'

export interface ProviderParts {
  readonly config: Pick<SiteConfig, 'APP_URL'> &
    Pick<FeatureSettings, 'APP_WITH_COMPANION_APP'> &
    Pick<
      IdentitySettings,
      'OAUTH_TOKEN_EXPIRY' | 'OAUTH_REFRESH_TOKEN_EXPIRY' | 'SECOND_FACTOR_POLICY' | 'STAFF_SECOND_FACTOR'
    >
  readonly db: Db
  readonly clock: Clock
  readonly secrets: Secrets
  readonly log: FastifyBaseLogger
  readonly signIns: SignInLog
}

/** Paths of the protocol; the ones users see are our own pages. */
export const oauthPaths = {
  authorization: '/oauth/authorize',
  code_verification: '/oauth/device',
  device_authorization: '/oauth/device_authorization',
  end_session: '/oauth/logout',
  introspection: '/oauth/introspect',
  jwks: '/oauth/jwks',
  revocation: '/oauth/revoke',
  token: '/oauth/token',
  userinfo: '/oauth/userinfo',
} as const

/** Library events for rejected requests. */
const errorEvents = [
  'grant.error',
  'userinfo.error',
  'introspection.error',
  'revocation.error',
  'device_authorization.error',
] as const

const guesses: ReadonlySet<string> = new Set(['invalid_client', 'invalid_grant', 'invalid_token'])

/** The result of a token request for a user. */
interface TokenOutcome {
  /** `stolen`: the code or token was presented before, so everything issued from it has been revoked. */
  readonly kind: 'granted' | 'stolen'
  readonly userId: number
  readonly clientId: string
  readonly grantId?: string | undefined
}

/** Lifetimes in seconds; those of tokens come from the settings. */
const lives = {
  code: 10 * minute,
  device: 10 * minute,
  idToken: 60 * minute,
  /** After this an application has to ask for consent again, regardless of refreshes. */
  grant: 365 * day,
} as const

/**
 * The OpenID provider: the library on top of our database. It is recreated when the signing keys change,
 * because the library accepts keys only at construction.
 */
export class OpenIdProvider {
  readonly mailPasswords: MailPasswords
  readonly keys: SigningKeys
  readonly #parts: ProviderParts
  readonly #guesses = new WeakSet<IncomingMessage>()
  readonly #outcomes = new WeakMap<IncomingMessage, TokenOutcome>()
  #made: { readonly version: string; readonly provider: Promise<Provider> } | undefined

  constructor(parts: ProviderParts) {
    this.#parts = parts
    this.keys = new SigningKeys(parts.db, parts.clock, parts.secrets)
    this.mailPasswords = new MailPasswords(parts.db, parts.clock, parts.secrets)
  }

  /** The portal's URL, which is the issuer. */
  get issuer(): string {
    return this.#parts.config.APP_URL
  }

  /** Expiring data of the provider. */
  get purgeable(): readonly Purgeable[] {
    const { db, clock } = this.#parts
    return [this.keys, { purge: () => purgeRecords(db, clock) }]
  }

  /** Returns the provider with the current keys. */
  async get(): Promise<Provider> {
    const set = await this.keys.current()
    if (this.#made?.version !== set.version) {
      this.#made = { version: set.version, provider: this.#make(set) }
    }
    return this.#made.provider
  }

  /** Returns whether an answered request presented an invalid secret, code or token. */
  isGuess(request: IncomingMessage): boolean {
    return this.#guesses.has(request)
  }

  /** Logs the result of an answered token request if a user signed in or a token was stolen. */
  async record(request: IncomingMessage, place: SignInPlace): Promise<void> {
    const outcome = this.#outcomes.get(request)
    if (outcome === undefined) return
    const { signIns, db } = this.#parts
    const { kind, userId, clientId, grantId } = outcome
    const client = await readClient(db, clientId)
    if (kind === 'stolen') return signIns.stolen(userId, place, client?.name)
    // borrowed use is logged where it begins
    const grant = grantId === undefined ? undefined : await readGrant(db, grantId)
    if (grant?.actorId != null) return
    const method = client?.builtIn === webmailClient ? 'webmail' : 'app'
    signIns.accepted(userId, { method, client: client?.name }, place)
  }

  async #make(set: KeySet): Promise<Provider> {
    const { default: Library, errors } = await loadLibrary()
    const { config, db, clock, secrets, log } = this.#parts
    const removedGrants = new Map<string, number>()
    const records = { db, clock, errors, removedGrants }
    const clients = new ClientAdapter(async (id) => {
      const row = await readClient(db, id)
      return row === undefined || row.disabledAt !== null ? undefined : clientMetadata(row)
    })
    const adapter = (model: string) => (model === 'Client' ? clients : new RecordAdapter(records, model))
    const provider = new Library(config.APP_URL, this.#configuration(set, adapter))
    // the caller has set the portal's origin on the request
    provider.proxy = true
    // secrets are stored as hashes, so the presented secret is hashed before the comparison
    provider.Client.prototype.compareClientSecret = function (actual: string) {
      const presented = hashClientSecret(secrets, this.clientId, actual)
      const kept = Buffer.from(this.clientSecret ?? '', 'hex')
      return kept.length === presented.length && timingSafeEqual(kept, presented)
    }
    provider.use(async (ctx, next) => {
      await next()
      if (ctx.path.startsWith('/.well-known/')) describe(ctx.body)
      // an empty response must not have a content type, or strict clients try to parse it
      if (ctx.path === oauthPaths.revocation && ctx.body === '') ctx.remove('content-type')
      if (ctx.path === oauthPaths.jwks) ctx.set('cache-control', `public, max-age=${copiesOfKeys}`)
    })
    for (const event of errorEvents) {
      // all of them have the same arguments
      provider.on(event as 'grant.error', (ctx, error) => {
        if (guesses.has(error.error)) this.#guesses.add(ctx.req)
      })
    }
    provider.on('grant.success', ({ oidc, req }) => {
      const { Account: account, Client: client, AccessToken: token } = oidc.entities
      const isNew = oidc.params?.grant_type !== 'refresh_token'
      if (!isNew || account === undefined || client === undefined) return
      const grantId = token !== undefined && 'grantId' in token ? token.grantId : undefined
      const userId = Number(account.accountId)
      this.#outcomes.set(req, { kind: 'granted', userId, clientId: client.clientId, grantId })
    })
    provider.on('grant.revoked', ({ oidc, req, path }, grantId) => {
      const userId = removedGrants.get(grantId)
      removedGrants.delete(grantId)
      const { Client: client } = oidc.entities
      if (path !== oauthPaths.token || userId === undefined || client === undefined) return
      this.#outcomes.set(req, { kind: 'stolen', userId, clientId: client.clientId })
    })
    provider.on('server_error', (_ctx, error) => log.error({ err: error }, 'oauth request failed'))
    return provider
  }

  #configuration(set: KeySet, adapter: NonNullable<Configuration['adapter']>): Configuration {
    const { config, db, secrets } = this.#parts
    const access = config.OAUTH_TOKEN_EXPIRY * minute
    return {
      adapter,
      jwks: { keys: [...set.keys] } as NonNullable<Configuration['jwks']>, // private keys as JSON Web Keys
      routes: oauthPaths,
      scopes: [...clientScopes],
      claims: {
        openid: ['sub', 'auth_time', 'act'],
        email: ['email', 'email_verified', 'settings'],
        profile: ['name', 'given_name', 'family_name', 'locale', 'updated_at'],
        'auth.token': ['auth.token'],
      },
      responseTypes: ['code'],
      clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'none'],
      clientDefaults: { grant_types: ['authorization_code'], response_types: ['code'] },
      enabledJWA: { idTokenSigningAlgValues: ['RS256', 'ES256'] },
      // clients of the product that this one replaces expect the claims of scopes in the ID token too
      conformIdTokenClaims: false,
      allowOmittingSingleRegisteredRedirectUri: true,
      cookies: { keys: secrets.tokens.keys('oauth-cookies').map((key) => key.toString('hex')) },
      pkce: { required: (_ctx, client) => client.clientAuthMethod === 'none' },
      features: {
        devInteractions: { enabled: false },
        userinfo: { enabled: true },
        introspection: {
          enabled: true,
          allowedPolicy: async (_ctx, client, token) =>
            client.clientId === token.clientId && (await readPerson(db, ownerOf(token))) !== undefined,
        },
        revocation: {
          enabled: true,
          allowedPolicy: async (_ctx, client, token) => client.clientId === token.clientId,
        },
        deviceFlow: { enabled: true, charset: 'base-20', mask: '****-****', deviceInfo: () => ({}) },
        rpInitiatedLogout: { enabled: true },
        resourceIndicators: { enabled: false },
        clientCredentials: { enabled: false },
        // our own API doesn't support DPoP, so a thief could use the tokens there anyway
        dPoP: { enabled: false },
        pushedAuthorizationRequests: { enabled: false },
      },
      discovery: { ui_locales_supported: [...languages] },
      // someone acting for another user may do so for an hour at most
      issueRefreshToken: async (_ctx, client, { grantId = '' }) =>
        client.grantTypeAllowed('refresh_token') && (await readGrant(db, grantId))?.actorId == null,
      rotateRefreshToken: true,
      // the library doesn't manage portal sessions; signing out there ends no application
      expiresWithSession: async () => false,
      clientBasedCORS: (ctx, origin, client) => mayAskFrom(ctx, origin, client),
      ttl: {
        AccessToken: (ctx) => withinGrant(ctx, access),
        AuthorizationCode: lives.code,
        DeviceCode: lives.device,
        Grant: lives.grant,
        IdToken: (ctx) => withinGrant(ctx, lives.idToken),
        Interaction: lives.code,
        RefreshToken: config.OAUTH_REFRESH_TOKEN_EXPIRY * minute,
        Session: lives.code,
      },
      findAccount: async (ctx, sub, token) => {
        const person = await readPerson(db, sub)
        const grant = token?.grantId === undefined ? undefined : await readGrant(db, token.grantId)
        if (
          person === undefined ||
          (ctx.path === oauthPaths.token && (await this.#mustEnrol(person, grant)))
        ) {
          return undefined
        }
        return this.#account(person, grant, withinGrant(ctx, access))
      },
      renderError: (ctx, out) => {
        ctx.type = 'application/json; charset=utf-8'
        ctx.body = out
      },
    }
  }

  /**
   * Users who still have to set up a second factor get no tokens for applications either, except for borrowed
   * grants of staff.
   */
  async #mustEnrol({ id }: Person, grant: GrantFacts | undefined): Promise<boolean> {
    if (grant?.actorId != null) return false
    return mustUserEnrol(this.#parts.db, secondFactorRules(this.#parts.config), id)
  }

  #account(person: Person, grant: GrantFacts | undefined, life: number): Account {
    const sub = String(person.id)
    return {
      accountId: sub,
      claims: async (use, scope) => {
        const isMail = use === 'id_token' && scope.split(' ').includes('auth.token') && grant !== undefined
        return {
          sub,
          ...claimsOf(person),
          ...(grant?.actorId != null && { act: { sub: String(grant.actorId), email: grant.actorEmail } }),
          ...(use === 'userinfo' && { settings: { name: fullName(person) } }),
          ...(isMail && { 'auth.token': this.mailPasswords.issue(person.id, grant.handle, life) }),
        }
      },
    }
  }
}

/** Returns all claims of a user; the library selects those covered by the scopes. */
function claimsOf(person: Person): Record<string, unknown> {
  const name = fullName(person)
  return {
    email: person.email,
    email_verified: person.isActive,
    ...(name !== '' && { name }),
    ...(person.firstName !== '' && { given_name: person.firstName }),
    ...(person.lastName !== '' && { family_name: person.lastName }),
    ...(person.language !== null && { locale: person.language }),
    updated_at: Math.floor(person.updatedAt.getTime() / 1000),
  }
}

function fullName({ firstName, lastName }: Person): string {
  return `${firstName} ${lastName}`.trim()
}

/** Limits a lifetime in seconds to that of the grant, if known. */
function withinGrant({ oidc }: Pick<KoaContextWithOIDC, 'oidc'>, seconds: number): number {
  const left = oidc.entities.Grant?.remainingTTL ?? seconds
  return Math.max(1, Math.min(seconds, left))
}

function ownerOf(token: { readonly kind: string }): string {
  return 'accountId' in token ? String(token.accountId) : ''
}

/**
 * Returns whether a browser application may call from an origin: one of its redirect URIs' or, for user info,
 * which requires a token, of any client's.
 */
function mayAskFrom(
  ctx: KoaContextWithOIDC,
  origin: string,
  client: { readonly clientAuthMethod?: string; readonly redirectUris?: readonly string[] },
): boolean {
  const isOpen = client.clientAuthMethod === 'none' || ctx.path === oauthPaths.userinfo
  return (
    isOpen && (client.redirectUris ?? []).some((uri) => new URL(uri).origin === origin && origin !== 'null')
  )
}

/** Adjusts the library's metadata to what our own authorization endpoint supports. */
function describe(body: unknown): void {
  if (typeof body !== 'object' || body === null || !('issuer' in body)) return
  Object.assign(body, {
    response_modes_supported: ['query', 'form_post'],
    prompt_values_supported: ['none', 'login', 'consent', 'select_account'],
    request_parameter_supported: false,
  })
}
