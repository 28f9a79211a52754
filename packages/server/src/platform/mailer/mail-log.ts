import { audit } from '../audit.ts'
import { after, type Clock, day } from '../clock.ts'
import type { Db } from '../db/database.ts'
import { insertMail, purgeMails } from './mail-log-store.ts'

/** Days that entries of the mail log are kept. */
const kept = 90

/** The audit log entry for an e-mail: the object it concerns, and the IP address of the requester. */
export interface MailRecord {
  readonly tenantId: number
  readonly objectType: string
  readonly objectId: number
  readonly ip?: string
}

/** One attempt to hand a message to the mail server. */
export interface LoggedMail {
  readonly name: string
  readonly subject: string
  readonly recipients: readonly string[]
  /** The user the message is about. */
  readonly userId?: number | undefined
  readonly record?: MailRecord | undefined
  /** Undefined if the server accepted the message. */
  readonly error?: string | undefined
}

/** Logs which e-mails were sent and which failed; never their contents. */
export class MailLog {
  readonly #db: Db
  readonly #clock: Clock

  constructor(db: Db, clock: Clock) {
    this.#db = db
    this.#clock = clock
  }

  /** Logs an attempt. Messages that were sent are also recorded in the audit log of the object they concern. */
  async add(mail: LoggedMail): Promise<void> {
    await insertMail(this.#db, mail, this.#clock.now())
    if (mail.record !== undefined && mail.error === undefined) await this.#record(mail, mail.record)
  }

  /** Makes sent e-mails appear in the activity list of staff and owners; reference api-billing-admin §21. */
  async #record({ name, subject, recipients }: LoggedMail, { ip, ...object }: MailRecord): Promise<void> {
    await audit(this.#db, this.#clock, {
      ...object,
      event: 'mail.sent',
      actor: ip === undefined ? {} : { ip },
      comment: `[${name}] ${subject}`,
      data: { mail: name, recipients: [...recipients] },
    })
  }

  /** Deletes old entries. */
  async purge(): Promise<void> {
    await purgeMails(this.#db, after(this.#clock.now(), -kept * day))
  }
}
