import type { ClientGrant, ClientScope } from '@gatehouse/contract/sessions/oauth'
import type { AdapterPayload } from 'oidc-provider'
import type { FieldMessages, Message } from '../../platform/http/errors.ts'
import { message } from '../../platform/http/errors.ts'
import { randomToken } from '../../platform/ids.ts'
import type { Secrets } from '../../platform/secrets.ts'

/** An application as stored in the database. */
export interface ClientRow {
  readonly id: string
  readonly name: string
  readonly secretHash: Buffer | null
  readonly redirectUris: string[]
  readonly postLogoutRedirectUris: string[]
  readonly scopes: string[]
  readonly grants: string[]
  readonly idTokenAlg: 'RS256' | 'ES256'
  readonly requirePkce: boolean
  readonly builtIn: string | null
  readonly disabledAt: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** The complete configuration of an application. */
export interface ClientFacts {
  readonly name: string
  readonly redirect_uris: readonly string[]
  readonly post_logout_redirect_uris: readonly string[]
  readonly scopes: readonly ClientScope[]
  readonly grants: readonly ClientGrant[]
  readonly id_token_alg: 'RS256' | 'ES256'
  /** Whether requests without PKCE are rejected; always the case for clients without a secret. */
  readonly require_pkce: boolean
}

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'

/** OAuth grant types by our names. */
const wireGrants: Readonly<Record<string, string>> = { device_code: deviceGrant }

/** Returns a client's metadata for the library (RFC 7591). The secret is the stored hash. */
export function clientMetadata(row: ClientRow): AdapterPayload {
  const isNative = row.redirectUris.some(isNativeUri)
  return {
    client_id: row.id,
    client_name: row.name,
    ...(row.secretHash !== null && { client_secret: row.secretHash.toString('hex') }),
    token_endpoint_auth_method: row.secretHash === null ? 'none' : 'client_secret_basic',
    application_type: isNative ? 'native' : 'web',
    redirect_uris: row.redirectUris,
    post_logout_redirect_uris: row.postLogoutRedirectUris,
    grant_types: row.grants.map((grant) => wireGrants[grant] ?? grant),
    response_types: row.grants.includes('authorization_code') ? ['code'] : [],
    id_token_signed_response_alg: row.idTokenAlg,
  }
}

/** Returns the keyed hash of a client secret; keyed because configured secrets may be weak. */
export function hashClientSecret(secrets: Secrets, clientId: string, secret: string): Buffer {
  return secrets.derive('oauth-client-secret', Buffer.from(`${clientId} ${secret}`))
}

/** Generates a random secret. */
export function newClientSecret(): string {
  return randomToken(32)
}

/**
 * Returns whether a redirect URI belongs to a native app (RFC 8252): a private-use scheme, or a loopback IP
 * address. Such clients may use any port of the loopback address.
 */
function isNativeUri(uri: string): boolean {
  const { protocol, hostname } = new URL(uri)
  return isOwnScheme(protocol) || (protocol === 'http:' && isLoopbackNumber(hostname))
}

/**
 * Returns whether a scheme is based on a domain name, such as `test.example.app:`, so that it can't belong to
 * another application.
 */
function isOwnScheme(protocol: string): boolean {
  return /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/.test(protocol)
}

function isLoopbackNumber(hostname: string): boolean {
  return /^(127(\.\d{1,3}){3}|\[::1\])$/.test(hostname)
}

/** Returns whether responses may be sent to this URI: HTTPS, a native app, or a developer's machine. */
export function isRedirectUri(uri: string): boolean {
  if (!/^[\x21-\x7e]+$/.test(uri) || uri.includes('#') || !URL.canParse(uri)) return false
  const { protocol, hostname, username, password } = new URL(uri)
  if (username !== '' || password !== '') return false
  if (protocol === 'https:') return !uri.includes('*')
  if (protocol === 'http:') return isLoopbackNumber(hostname) || /^(.+\.)?localhost$/.test(hostname)
  return isOwnScheme(protocol)
}

type CheckedFields = Readonly<
  Partial<
    Pick<ClientFacts, 'grants'> &
      Record<'redirect_uris' | 'post_logout_redirect_uris', readonly string[] | null>
  >
>

/** Validates an application beyond its schema, by field. */
export function clientProblems(fields: CheckedFields): Record<string, FieldMessages> {
  const problems: Record<string, FieldMessages> = {}
  for (const field of ['redirect_uris', 'post_logout_redirect_uris'] as const) {
    const wrong = uriProblems(fields[field] ?? [])
    if (wrong !== undefined) problems[field] = wrong
  }
  const needsAddress = fields.grants?.includes('authorization_code') === true
  if (needsAddress && (fields.redirect_uris ?? []).length === 0) {
    problems.redirect_uris = message('oauth.redirect-missing')
  }
  return problems
}

function uriProblems(uris: readonly string[]): ReadonlyMap<number, Message> | undefined {
  const wrong = uris.flatMap((uri, index): [number, Message][] =>
    isRedirectUri(uri) ? [] : [[index, message('oauth.redirect-invalid')]],
  )
  return wrong.length === 0 ? undefined : new Map(wrong)
}
