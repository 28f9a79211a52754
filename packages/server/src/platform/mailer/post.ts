import type { Language } from '@gatehouse/contract/language'
import type { MailLog } from './mail-log.ts'
import type { MailAddress } from './mail-message.ts'
import type { Mailer } from './mailer.ts'
import type { MailTheme } from './templates/mail-theme.ts'
import type { MailData, MailName } from './templates/mails.ts'
import { renderMail } from './templates/render-mail.ts'

/** The installation as mails speak of it. */
export interface Site {
  readonly name: string
  /** The full address of a page. */
  link(path: string): string
}

export interface Letter<Name extends MailName> {
  readonly to: MailAddress
  /** Absent: the installation's. */
  readonly from?: MailAddress
  readonly replyTo?: MailAddress
  readonly language: Language
  /** The user that it is about, for the log of mails. */
  readonly about?: number
  readonly data: (site: Site) => MailData[Name]
}

/** Writes and sends the mails of the portal: the reader's language, the installation's theme. */
export class Post {
  readonly #mailer: Mailer
  readonly #site: Site
  readonly #theme: MailTheme
  readonly #log: MailLog

  constructor(mailer: Mailer, site: Site, theme: MailTheme, log: MailLog) {
    this.#mailer = mailer
    this.#site = site
    this.#theme = theme
    this.#log = log
  }

  /** Rejects with a MailError when the mail server does not take the mail. */
  async send<Name extends MailName>(name: Name, letter: Letter<Name>): Promise<void> {
    const { language, to, from, replyTo } = letter
    const mail = renderMail(name, {
      language,
      theme: this.#theme,
      data: letter.data(this.#site),
      links: { home: this.#site.link('/'), support: this.#site.link('/support') },
    })
    const entry = { name, subject: mail.subject, recipients: [to.address], userId: letter.about }
    try {
      await this.#mailer.send({ ...mail, to: [to], ...(from && { from }), ...(replyTo && { replyTo }) })
    } catch (error) {
      await this.#log.add({ ...entry, error: error instanceof Error ? error.message : String(error) })
      throw error
    }
    await this.#log.add(entry)
  }
}
