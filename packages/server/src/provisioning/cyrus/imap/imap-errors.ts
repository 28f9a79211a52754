/** The server refused a command. The message contains its own words. */
export class ImapRefusedError extends Error {
  override name = 'ImapRefusedError'

  constructor(
    readonly command: string,
    /** The server's answer, such as `Mailbox does not exist`. */
    readonly answer: string,
  ) {
    super(`${command}: ${answer}`)
  }
}

/** The connection could not be opened or broke; whether commands took effect is unknown. */
export class ImapConnectionError extends Error {
  override name = 'ImapConnectionError'
}

/** A name contains a character that IMAP can't transport. */
export class MailboxNameError extends Error {
  override name = 'MailboxNameError'
}
