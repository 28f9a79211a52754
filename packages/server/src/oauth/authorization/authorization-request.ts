import type { ClientScope } from '@gatehouse/contract/sessions/oauth'
import type { default as Provider } from 'oidc-provider'
import type { Db } from '../../platform/db/database.ts'
import { isUuid } from '../../platform/ids.ts'
import type { ClientRow } from '../clients/client.ts'
import { readClient } from '../clients/client-store.ts'
import { grantedScopes, UnknownScope } from '../tokens/scopes.ts'
import { type AnswerAddresses, type AnswerPlace, type ResponseMode, responseModes } from './answer-address.ts'
import { type OAuthError, OAuthRefused } from './refused.ts'

type LibraryClient = NonNullable<Awaited<ReturnType<Provider['Client']['find']>>>

/** The parameters of a request as received. */
export interface AuthorizationInput {
  readonly client_id?: string | null | undefined
  readonly redirect_uri?: string | null | undefined
  readonly response_type?: string | null | undefined
  readonly response_mode?: string | null | undefined
  readonly scope?: string | null | undefined
  readonly state?: string | null | undefined
  readonly nonce?: string | null | undefined
  readonly code_challenge?: string | null | undefined
  readonly code_challenge_method?: string | null | undefined
  readonly prompt?: string | null | undefined
  readonly max_age?: string | number | null | undefined
  readonly id_token_hint?: string | null | undefined
  readonly request?: string | null | undefined
  readonly request_uri?: string | null | undefined
}

/** A valid request, before the decision whether to grant it. */
export interface AuthorizationRequest {
  readonly client: ClientRow
  readonly libraryClient: LibraryClient
  readonly place: AnswerPlace
  readonly scopes: readonly ClientScope[]
  readonly nonce: string | undefined
  readonly codeChallenge: string | undefined
  readonly prompts: ReadonlySet<string>
  /** Maximum seconds since the sign-in; undefined: any. */
  readonly maxAge: number | undefined
  /** The user expected by the client; undefined: any. */
  readonly expectedUser: string | undefined
  /** Creates an error that is returned to the client's redirect URI. */
  readonly refuse: (field: string, error: OAuthError, description: string) => OAuthRefused
}

export interface RequestParts {
  readonly db: Db
  readonly library: Provider
  readonly addresses: AnswerAddresses
}

/**
 * Validates an authorization request according to RFC 6749, RFC 7636, RFC 9700 and OpenID Connect Core. Throws
 * OAuthRefused, without a redirect URL until client and redirect URI have been validated.
 */
export async function readAuthorizationRequest(
  parts: RequestParts,
  input: AuthorizationInput,
): Promise<AuthorizationRequest> {
  const { client, libraryClient } = await findClient(parts, input)
  const place = {
    redirectUri: redirectUriOf(libraryClient, input),
    mode: isResponseMode(input.response_mode) ? input.response_mode : 'query',
    state: input.state ?? undefined,
  } satisfies AnswerPlace
  const refuse = (field: string, error: OAuthError, description: string) => {
    const address = parts.addresses.of(place, { error, error_description: description })
    return new OAuthRefused(field, error, description, address)
  }
  refuseUnsupported(input, client, refuse)
  return {
    ...{ client, libraryClient, place, refuse },
    scopes: scopesOf(input, client, refuse),
    nonce: input.nonce ?? undefined,
    codeChallenge: challengeOf(input, client, refuse),
    prompts: promptsOf(input, refuse),
    maxAge: maxAgeOf(input, refuse),
    expectedUser: await expectedUserOf(parts.library, libraryClient, input, refuse),
  }
}

async function findClient({ db, library }: RequestParts, { client_id: id }: AuthorizationInput) {
  const row = id != null && isUuid(id) ? await readClient(db, id) : undefined
  const libraryClient = row === undefined ? undefined : await library.Client.find(row.id)
  if (row === undefined || libraryClient === undefined) {
    throw new OAuthRefused('client_id', 'invalid_client', 'unknown client')
  }
  return { client: row, libraryClient }
}

/**
 * Returns the redirect URI, which must exactly match a registered one, except for the port of a loopback
 * address (RFC 8252 §7.3).
 */
function redirectUriOf(client: LibraryClient, { redirect_uri: asked }: AuthorizationInput): string {
  const [only, ...others] = client.redirectUris ?? []
  if (asked == null && only !== undefined && others.length === 0) return only
  if (asked == null) throw new OAuthRefused('redirect_uri', 'invalid_request', 'redirect_uri is missing')
  if (!client.redirectUriAllowed(asked)) {
    throw new OAuthRefused('redirect_uri', 'invalid_request', 'redirect_uri is not registered')
  }
  return asked
}

function isResponseMode(value: string | null | undefined): value is ResponseMode {
  return responseModes.some((mode) => mode === value)
}

type Refuse = AuthorizationRequest['refuse']

function refuseUnsupported(input: AuthorizationInput, client: ClientRow, refuse: Refuse): void {
  if (input.request != null) {
    throw refuse('request', 'request_not_supported', 'request objects are not supported')
  }
  if (input.request_uri != null) {
    throw refuse('request_uri', 'request_uri_not_supported', 'request objects are not supported')
  }
  if (input.response_type == null) {
    throw refuse('response_type', 'invalid_request', 'response_type is missing')
  }
  if (input.response_type !== 'code') {
    throw refuse('response_type', 'unsupported_response_type', 'response_type must be code')
  }
  if (input.response_mode != null && !isResponseMode(input.response_mode)) {
    throw refuse('response_mode', 'invalid_request', 'response_mode must be query or form_post')
  }
  if (!client.grants.includes('authorization_code')) {
    throw refuse('client_id', 'unauthorized_client', 'the client may not use authorization codes')
  }
}

function scopesOf(input: AuthorizationInput, client: ClientRow, refuse: Refuse): ClientScope[] {
  try {
    const scopes = grantedScopes(input.scope ?? '', client.scopes)
    if (scopes.length > 0) return scopes
  } catch (error) {
    if (!(error instanceof UnknownScope)) throw error
    throw refuse('scope', 'invalid_scope', 'unknown scope')
  }
  throw refuse('scope', 'invalid_scope', 'no scope that the client may have')
}

/**
 * Only S256, because a plain challenge reveals its verifier to anyone who sees the request (RFC 9700 §2.1.1).
 */
function challengeOf(input: AuthorizationInput, client: ClientRow, refuse: Refuse): string | undefined {
  const { code_challenge: challenge, code_challenge_method: method } = input
  if (challenge == null) {
    if (method != null) throw refuse('code_challenge', 'invalid_request', 'code_challenge is missing')
    if (!client.requirePkce) return undefined
    throw refuse('code_challenge', 'invalid_request', 'PKCE is required')
  }
  if (method !== 'S256') {
    throw refuse('code_challenge_method', 'invalid_request', 'code_challenge_method must be S256')
  }
  // SHA-256 in base64url
  if (!/^[\w-]{43}$/.test(challenge)) {
    throw refuse('code_challenge', 'invalid_request', 'code_challenge is malformed')
  }
  return challenge
}

function promptsOf(input: AuthorizationInput, refuse: Refuse): ReadonlySet<string> {
  const prompts = new Set((input.prompt ?? '').split(' ').filter((word) => word !== ''))
  if (prompts.has('none') && prompts.size > 1) {
    throw refuse('prompt', 'invalid_request', 'prompt=none stands alone')
  }
  return prompts
}

function maxAgeOf({ max_age: age }: AuthorizationInput, refuse: Refuse): number | undefined {
  if (age == null) return undefined
  if (!/^\d{1,9}$/.test(String(age))) {
    throw refuse('max_age', 'invalid_request', 'max_age is no number of seconds')
  }
  return Number(age)
}

/**
 * Returns the user named by our ID token. A token we didn't sign for this client is rejected; an expired one
 * is accepted.
 */
async function expectedUserOf(
  library: Provider,
  client: LibraryClient,
  { id_token_hint: hint }: AuthorizationInput,
  refuse: Refuse,
): Promise<string | undefined> {
  if (hint == null) return undefined
  try {
    const { payload } = await library.IdToken.validate(hint, client)
    if (typeof payload.sub === 'string') return payload.sub
  } catch {
    // whatever is wrong with it
  }
  throw refuse('id_token_hint', 'invalid_request', 'id_token_hint is not valid')
}
