/** A server to configure in a mail client. */
export interface MailServer {
  readonly host: string
  readonly port: number
  readonly encryption: 'ssl' | 'tls' | 'plain'
  /** The password is not sent in the clear. */
  readonly isPasswordHidden: boolean
}

/** Values of the placeholders in a setting. */
export interface Places {
  /** Host name of the installation. */
  readonly host: string
  /** Domain of the e-mail address. */
  readonly domain: string
}

const pattern = /^(?:(ssl|tls|plain|[a-z]+):\/\/)?([a-z0-9%.-]+):(\d{1,5})(?:;(CRAM-MD5|DIGEST-MD5))?$/i

/**
 * Parses a setting such as `ssl://imap.%h:993;CRAM-MD5`; undefined if invalid. Any other scheme means no
 * encryption.
 */
export function readMailServer(text: string): MailServer | undefined {
  const [, scheme = '', host, port, hiding] = pattern.exec(text) ?? []
  if (host === undefined || Number(port) < 1 || Number(port) > 65_535) return undefined
  const name = scheme.toLowerCase()
  const encryption = name === 'ssl' || name === 'tls' ? name : 'plain'
  return { host, port: Number(port), encryption, isPasswordHidden: hiding !== undefined }
}

/** Replaces the placeholders in a setting's host or address. */
export function fillIn(text: string, { host, domain }: Places): string {
  return text.replaceAll('%h', host).replaceAll('%d', domain)
}
