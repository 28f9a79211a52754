import { audit } from '../audit.ts'
import { after, type Clock, day } from '../clock.ts'
import type { Db } from '../db/database.ts'
import { insertMail, purgeMails } from './mail-log-store.ts'

/** Days that the log of mails goes back. */
const kept = 90

/** Whose record of changes tells of a mail: the object that it is about, and the address of who asked for it. */
export interface MailRecord {
  readonly tenantId: number
  readonly objectType: string
  readonly objectId: number
  readonly ip?: string
}

/** One try to hand a mail to the mail server. */
export interface LoggedMail {
  readonly name: string
  readonly subject: string
  readonly recipients: readonly string[]
  /** The user that it is about. */
  readonly userId?: number | undefined
  readonly record?: MailRecord | undefined
  /** Undefined: it was taken. */
  readonly error?: string | undefined
}

/** Remembers which mails went out and which could not; never what is in them. */
export class MailLog {
  readonly #db: Db
  readonly #clock: Clock

  constructor(db: Db, clock: Clock) {
    this.#db = db
    this.#clock = clock
  }

  /** Notes a try; what went out is also told by the record of whom it is about. */
  async add(mail: LoggedMail): Promise<void> {
    await insertMail(this.#db, mail, this.#clock.now())
    if (mail.record !== undefined && mail.error === undefined) await this.#record(mail, mail.record)
  }

  /** So that staff and owners see it where they see the rest; reference api-billing-admin §21. */
  async #record({ name, subject, recipients }: LoggedMail, { ip, ...object }: MailRecord): Promise<void> {
    await audit(this.#db, this.#clock, {
      ...object,
      event: 'mail.sent',
      actor: ip === undefined ? {} : { ip },
      comment: `[${name}] ${subject}`,
      data: { mail: name, recipients: [...recipients] },
    })
  }

  /** Forgets what is old. */
  async purge(): Promise<void> {
    await purgeMails(this.#db, after(this.#clock.now(), -kept * day))
  }
}
