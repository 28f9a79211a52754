import { join } from 'node:path'

/** An instance of nginx: the mail proxy, and the web server of webmail, calendars and contacts. */
export interface NginxDescription {
  /** Holds everything that belongs to the instance. Other users must be able to enter each folder above it. */
  readonly folder: string
  readonly hostname: string
  readonly listen: {
    /** `address:port`, with STARTTLS. */
    readonly imap: string
    readonly imaps: string
    /** With STARTTLS. */
    readonly submission: string
    readonly submissions: string
    readonly sieve: string
    readonly http: string
    readonly https: string
  }
  /** PEM files. */
  readonly certificate: { readonly certificate: string; readonly key: string }
  readonly portal: {
    /** `address:port` */
    readonly address: string
    /** What it knows mail servers by: `SERVICES_SECRET`. */
    readonly secret: string
  }
  /** `address:port` of the mail store, without encryption. */
  readonly store: { readonly http: string; readonly sieve: string }
  /** Absent: no webmail. */
  readonly webmail?: {
    /** Folder with `webmail/index.php`. */
    readonly root: string
    /** UNIX socket of php-fpm. */
    readonly php: string
  }
}

/** The files of an instance. */
export function nginxPaths(folder: string) {
  return {
    configuration: join(folder, 'nginx.conf'),
    log: join(folder, 'error.log'),
    pidFile: join(folder, 'nginx.pid'),
  }
}
