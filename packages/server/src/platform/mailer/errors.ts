/** A mail that was not sent. `permanent` says that trying again with the same mail is useless. */
export abstract class MailError extends Error {
  abstract readonly permanent: boolean
}

/** A mail that must not be sent as it is: no recipient, an address or header that is not one. */
export class InvalidMailError extends MailError {
  override readonly name = 'InvalidMailError'
  readonly permanent = true
}

/**
 * The server refused recipients. Those in `accepted` did get the mail, so a second attempt must
 * leave them out.
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

/** The mail server cannot be reached, does not let us in, or does not take the mail. */
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
    // A refused login is the operator's to mend, after which the same mail goes out.
    this.permanent = details.code !== 'EAUTH' && isPermanentCode(details.responseCode)
  }
}

/** The mailer was set up with something that is not the address of a mail server. */
export class MailerConfigError extends Error {
  override readonly name = 'MailerConfigError'
}

/** Whether an SMTP answer says "never" (5xx) rather than "not now" (4xx). */
export function isPermanentCode(responseCode: number | undefined): boolean {
  return responseCode !== undefined && responseCode >= 500
}
