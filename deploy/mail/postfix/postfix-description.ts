import { join } from 'node:path'

/** Where Postfix looks up domains, mailboxes, aliases and sender logins. */
export type AddressSource =
  /** The portal's mail gateway. */
  | { readonly kind: 'socketmap'; readonly endpoint: string }
  /** The views in schema `mail` of the portal's database. `url` is for a role that may read only these. */
  | { readonly kind: 'database'; readonly url: string }

/** An instance of Postfix: receives, submits and delivers the mail of one installation. */
export interface PostfixDescription {
  /** Holds everything that belongs to the instance. Other users must be able to enter each folder above it. */
  readonly folder: string
  readonly hostname: string
  readonly listen: {
    /** `address:port` for mail from other servers. */
    readonly incoming: string
    /** `address:port` for mail of users, behind nginx, which sends the client's address by the PROXY protocol. */
    readonly submission: string
    /** `address:port` for mail of users who are signed in to the webmail on this machine. */
    readonly webmail: string
    /** `address:port` for mail from Sieve scripts and calendars. Accepts everything from this machine. */
    readonly reinjection: string
  }
  /** `address:port` of the mail store's LMTP server. */
  readonly delivery: string
  /** UNIX socket that answers in the protocol of saslauthd. */
  readonly authSocket: string
  readonly addresses: AddressSource
  /** `address:port` of the portal's mail gateway. */
  readonly policy: string
  readonly milter: string
  /** `host:port` of a server for mail to other hosts. If missing, such mail is returned to its sender. */
  readonly relay?: string
}

/** The files and folders of an instance. */
export function postfixPaths(folder: string) {
  return {
    configuration: join(folder, 'conf'),
    queue: join(folder, 'queue'),
    data: join(folder, 'data'),
    log: join(folder, 'postfix.log'),
    pidFile: join(folder, 'queue/pid/master.pid'),
  }
}
