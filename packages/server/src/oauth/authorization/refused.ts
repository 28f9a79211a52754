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
 * A rejected authorization request. `redirectUrl` is set only if client and redirect URI are valid: browsers
 * are never redirected to an unverified URI. The description is for developers, in ASCII English as required
 * by the protocol.
 */
export class OAuthRefused extends ValidationError {
  constructor(field: string, error: OAuthError, description: string, redirectUrl: string | null = null) {
    const text = message('oauth.refused', { error: `${error}: ${description}` })
    super({ [field]: [text] }, { error, error_description: description, redirectUrl }, text)
  }
}
