import { join } from 'node:path'

/** An instance of Cyrus IMAP: mail, calendars, contacts and files of one installation. */
export interface CyrusDescription {
  /** Holds everything that belongs to the instance. Other users must be able to enter each folder above it. */
  readonly folder: string
  readonly hostname: string
  readonly admin: { readonly name: string; readonly password: string }
  /** UNIX socket that answers in the protocol of saslauthd; it decides who may sign in, apart from the admin. */
  readonly authSocket: string
  readonly listen: {
    /** `address:port` */
    readonly imap: string
    /** `address:port`, for CalDAV, CardDAV, WebDAV and JMAP. */
    readonly http: string
    /** `address:port` */
    readonly sieve: string
    /** `address:port`, or the path of a UNIX socket. Accepts mail without authentication. */
    readonly lmtp?: string
  }
  /** `address:port` of the SMTP server for mail from Sieve scripts and calendars. */
  readonly relay?: string
  /** Days until deleted users, folders and messages are gone for good. */
  readonly retentionDays?: number
  /** Skips syncing to disk: much faster, but data may be lost when the machine stops. For tests. */
  readonly isDisposable?: boolean
}

/** The files and folders of an instance. */
export function cyrusPaths(folder: string) {
  return {
    configuration: join(folder, 'imapd.conf'),
    services: join(folder, 'cyrus.conf'),
    pidFile: join(folder, 'run/master.pid'),
    log: join(folder, 'cyrus.log'),
    /** A file for each process that serves a client. */
    sessions: join(folder, 'run/proc'),
    /** Passwords of the admin, for libsasl. */
    passwords: join(folder, 'sasl/sasldb2'),
    /** Key with which the portal signs tokens for the HTTP services. */
    tokenKey: join(folder, 'keys/portal.pem'),
  }
}
