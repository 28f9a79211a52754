import type { Language } from '@gatehouse/contract/language'
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
  readonly replyTo?: MailAddress
  readonly language: Language
  readonly data: (site: Site) => MailData[Name]
}

/** Writes and sends the mails of the portal: the reader's language, the installation's theme. */
export class Post {
  readonly #mailer: Mailer
  readonly #site: Site
  readonly #theme: MailTheme

  constructor(mailer: Mailer, site: Site, theme: MailTheme) {
    this.#mailer = mailer
    this.#site = site
    this.#theme = theme
  }

  /** Rejects with a MailError when the mail server does not take the mail. */
  async send<Name extends MailName>(name: Name, letter: Letter<Name>): Promise<void> {
    const { language, to, replyTo } = letter
    const mail = renderMail(name, {
      language,
      theme: this.#theme,
      data: letter.data(this.#site),
      links: { home: this.#site.link('/'), support: this.#site.link('/support') },
    })
    await this.#mailer.send({ ...mail, to: [to], ...(replyTo && { replyTo }) })
  }
}
