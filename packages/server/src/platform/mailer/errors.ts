/** An e-mail that could not be sent. `permanent` means that retrying the same message is pointless. */
export abstract class MailError extends Error {
  abstract readonly permanent: boolean
}

/** A message that must not be sent: it has no recipient, or an invalid address or header. */
export class InvalidMailError extends MailError {
  override readonly name = 'InvalidMailError'
  readonly permanent = true
}

/**
 * The server rejected some recipients. Those in `accepted` did receive the message, so a retry must leave them
 * out.
 */
export class RecipientsRefusedError extends MailError {
  override readonly name = 'RecipientsRefusedError'
  readonly refused: readonly string[]
  readonly accepted: readonly string[]
  readonly permanent: boolean

  constructor(details: {
    refused: readonly string[]
    accepted: readonly string[]
    permanent: boolean
    cause?: unknown
  }) {
    super(`The mail server refused ${details.refused.length} recipient(s).`, { cause: details.cause })
    this.refused = details.refused
    this.accepted = details.accepted
    this.permanent = details.permanent
  }
}

/** The mail server is unreachable, rejects the login or rejects the message. */
export class MailServerError extends MailError {
  override readonly name = 'MailServerError'
  readonly code: string
  readonly responseCode: number | undefined
  readonly permanent: boolean

  constructor(details: { code: string; responseCode?: number | undefined; cause: unknown }) {
    const answer = details.responseCode === undefined ? '' : `, answer ${details.responseCode}`
    super(`The mail server did not accept the e-mail (${details.code}${answer}).`, { cause: details.cause })
    this.code = details.code
    this.responseCode = details.responseCode
    // The operator can fix a rejected login, after which the same message is delivered.
    this.permanent = details.code !== 'EAUTH' && isPermanentCode(details.responseCode)
  }
}

/** The mailer was configured with an invalid mail server address. */
export class MailerConfigError extends Error {
  override readonly name = 'MailerConfigError'
}

/** Whether an SMTP reply code is a permanent failure (5xx) rather than a transient one (4xx). */
export function isPermanentCode(responseCode: number | undefined): boolean {
  return responseCode !== undefined && responseCode >= 500
}
