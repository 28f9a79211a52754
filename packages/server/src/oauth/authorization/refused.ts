import { message, ValidationError } from '../../platform/http/errors.ts'

/** Errors of an authorization request: RFC 6749 §4.1.2.1, OpenID Connect Core 3.1.2.6. */
export type OAuthError =
  | 'invalid_request'
  | 'invalid_client'
  | 'unauthorized_client'
  | 'unsupported_response_type'
  | 'invalid_scope'
  | 'access_denied'
  | 'login_required'
  | 'consent_required'
  | 'request_not_supported'
  | 'request_uri_not_supported'

/**
 * An authorization request that is refused. `redirectUrl` is set only when the client and its address were found to be
 * right: nobody is ever sent to an address that a mere request names. The description is for developers, in the ASCII
 * English that the protocol wants.
 */
export class OAuthRefused extends ValidationError {
  constructor(field: string, error: OAuthError, description: string, redirectUrl: string | null = null) {
    const text = message('oauth.refused', { error: `${error}: ${description}` })
    super({ [field]: [text] }, { error, error_description: description, redirectUrl }, text)
  }
}
