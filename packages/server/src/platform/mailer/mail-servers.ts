/** A server that mail programs are told. */
export interface MailServer {
  readonly host: string
  readonly port: number
  readonly encryption: 'ssl' | 'tls' | 'plain'
  /** The password does not go over the wire as it is. */
  readonly isPasswordHidden: boolean
}

/** What stands for parts of a host in a setting. */
export interface Places {
  /** Host of the installation. */
  readonly host: string
  /** Domain of the address. */
  readonly domain: string
}

const pattern = /^(?:(ssl|tls|plain|[a-z]+):\/\/)?([a-z0-9%.-]+):(\d{1,5})(?:;(CRAM-MD5|DIGEST-MD5))?$/i

/** Reads a setting such as `ssl://imap.%h:993;CRAM-MD5`; undefined: it is none. Other schemes mean no encryption. */
export function readMailServer(text: string): MailServer | undefined {
  const [, scheme = '', host, port, hiding] = pattern.exec(text) ?? []
  if (host === undefined || Number(port) < 1 || Number(port) > 65_535) return undefined
  const name = scheme.toLowerCase()
  const encryption = name === 'ssl' || name === 'tls' ? name : 'plain'
  return { host, port: Number(port), encryption, isPasswordHidden: hiding !== undefined }
}

/** Puts real names into the host or address of a setting. */
export function fillIn(text: string, { host, domain }: Places): string {
  return text.replaceAll('%h', host).replaceAll('%d', domain)
}
