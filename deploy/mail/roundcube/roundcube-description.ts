import { join } from 'node:path'

/** An instance of Roundcube: the webmail, with sign-in by the portal. */
export interface RoundcubeDescription {
  /** Holds everything that belongs to the instance. Other users must be able to enter each folder above it. */
  readonly folder: string
  /** Folder of our plugin for Roundcube. */
  readonly plugin: string
  readonly name: string
  /** Address of the portal for browsers, and for the token requests of Roundcube. */
  readonly portalUrl: string
  readonly client: { readonly id: string; readonly secret: string }
  /** 24 characters, for the session's passwords. */
  readonly sessionKey: string
  /** `address:port` of the mail store and of Postfix, without encryption. */
  readonly store: { readonly imap: string; readonly sieve: string }
  readonly submission: string
}

/** The files and folders of an instance. */
export function roundcubePaths(folder: string) {
  return {
    /** What Roundcube takes for its installation: Debian's programs with our configuration and plugin. */
    home: join(folder, 'home'),
    configuration: join(folder, 'home/config'),
    /** Document root of the web server. */
    root: join(folder, 'www'),
    database: join(folder, 'data/roundcube.sqlite'),
    phpConfiguration: join(folder, 'php-fpm.conf'),
    phpSocket: join(folder, 'run/php.sock'),
    log: join(folder, 'php.log'),
  }
}
