import type { SieveAccess } from '../managesieve/session.ts'
import type { DavClient } from './dav-client.ts'
import type { ImapAdmin } from './imap/imap-admin.ts'
import type { Mailboxes } from './mailboxes.ts'

/** Clients of the store's services. */
export interface CyrusParts {
  readonly imap: ImapAdmin
  readonly mailboxes: Mailboxes
  readonly dav: DavClient
  readonly sieve: SieveAccess
}
