import { decodeJwt } from 'jose'
import type { default as Provider } from 'oidc-provider'
import { z } from 'zod'
import { after, type Clock, minute } from '../../platform/clock.ts'
import { message, ValidationError } from '../../platform/http/errors.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { withQuery } from './answer-address.ts'

const purpose = 'oauth-sign-out'
const sealedRequest = z.object({
  client: z.string().nullable(),
  redirectUrl: z.string().nullable(),
  until: z.number(),
})

/** A sign-out request as shown on the screen. */
export type SignOutRequest = Pick<z.infer<typeof sealedRequest>, 'client' | 'redirectUrl'>

const text = (max: number) => z.string().max(max).optional()

const parameters = z.object({
  id_token_hint: text(8192),
  client_id: text(255),
  post_logout_redirect_uri: text(2048),
  state: text(4096),
})

/** An untrusted sign-out request: the user sees an error and is not redirected. */
export class SignOutRefused extends Error {
  override name = 'SignOutRefused'
}

export interface SignOutParts {
  readonly clock: Clock
  readonly secrets: Secrets
}

/**
 * Validates a request of RP-Initiated Logout 1.0 and seals the result for the confirmation screen. Throws
 * SignOutRefused for a forged hint, another client's hint, or an unregistered redirect URI.
 */
export async function readSignOut(parts: SignOutParts, library: Provider, input: unknown): Promise<string> {
  const parsed = parameters.safeParse(input)
  if (!parsed.success) throw new SignOutRefused()
  const { id_token_hint: hint, client_id: clientId, post_logout_redirect_uri: uri, state } = parsed.data
  const named = hint === undefined ? clientId : audienceOf(hint)
  if (clientId !== undefined && named !== clientId) throw new SignOutRefused()
  const client = named === undefined ? undefined : await library.Client.find(named)
  if (named !== undefined && client === undefined) throw new SignOutRefused()
  if (hint !== undefined && client !== undefined) {
    await library.IdToken.validate(hint, client).catch(() => {
      throw new SignOutRefused()
    })
  }
  // without naming the client, the redirect URI can't be validated
  const target = client === undefined ? undefined : uri
  if (target !== undefined && client?.postLogoutRedirectUriAllowed(target) !== true)
    throw new SignOutRefused()
  const facts = {
    client: client?.clientName ?? null,
    redirectUrl: target === undefined ? null : withQuery(target, state === undefined ? {} : { state }),
    until: after(parts.clock.now(), 10 * minute).getTime(),
  }
  return parts.secrets.tokens.encrypt(purpose, JSON.stringify(facts)).toString('base64url')
}

/** Opens what `readSignOut` sealed. Throws ValidationError if it is forged or expired. */
export function openSignOut({ clock, secrets }: SignOutParts, sealed: string): SignOutRequest {
  const request = unseal(secrets, sealed)
  if (request === undefined || request.until <= clock.now().getTime()) {
    throw new ValidationError({ request: [message('oauth.sign-out-invalid')] })
  }
  return { client: request.client, redirectUrl: request.redirectUrl }
}

function unseal(secrets: Secrets, sealed: string) {
  try {
    return sealedRequest.parse(JSON.parse(secrets.tokens.decrypt(purpose, Buffer.from(sealed, 'base64url'))))
  } catch {
    return undefined
  }
}

/** Returns the client an ID token was issued to, before the token is verified. */
function audienceOf(hint: string): string {
  try {
    const { aud } = decodeJwt(hint)
    if (typeof aud === 'string') return aud
  } catch {
    // not a token
  }
  throw new SignOutRefused()
}
