/** The connection can't be opened, broke, or the server doesn't respond. A later attempt may succeed. */
export class ImapUnreachable extends Error {
  override name = 'ImapUnreachable'
}

/** The certificate of the server can't be verified. The message says why. */
export class ImapCertificateError extends Error {
  override name = 'ImapCertificateError'
}

/** The server doesn't offer what is required: encryption, or a way to sign in with a password. */
export class ImapUnsupported extends Error {
  override name = 'ImapUnsupported'

  constructor(readonly missing: 'starttls' | 'password') {
    super(`the server doesn't offer ${missing}`)
  }
}

/** The server's answers break the protocol or a limit. */
export class ImapProtocolError extends Error {
  override name = 'ImapProtocolError'
}

/** The server refused a command. */
export class ImapNo extends Error {
  override name = 'ImapNo'

  constructor(
    readonly command: string,
    /** The server's own words. */
    readonly answer: string,
  ) {
    super(`${command}: ${answer}`)
  }

  /** Whether the answer has a response code, such as `OVERQUOTA`. */
  hasCode(code: string): boolean {
    return this.answer.toUpperCase().startsWith(`[${code}`)
  }
}
