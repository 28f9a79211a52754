import type { Language } from '@gatehouse/contract/language'
import type { MailLog, MailRecord } from './mail-log.ts'
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

/** How those whom a mail is about know the installation: resellers have names, addresses and senders of their own. */
export interface LocalSite {
  over(site: Site): Site
  readonly sender: { readonly from?: MailAddress; readonly replyTo?: MailAddress }
  /** Absent: the installation's. */
  readonly theme?: MailTheme | undefined
}

/** Whose installation a mail speaks of: of a user's tenant, or of a tenant. */
export interface Whose {
  readonly about?: number | undefined
  readonly tenantId?: number | undefined
}

export interface Letter<Name extends MailName> {
  readonly to: MailAddress
  readonly replyTo?: MailAddress
  readonly language: Language
  /** The user that it is about: it comes from that one's tenant, and the log of mails names him. */
  readonly about?: number
  /** Where it is about nobody yet: the tenant that it comes from. */
  readonly tenantId?: number
  /** Absent: only the log of mails knows of it. */
  readonly record?: MailRecord
  readonly data: (site: Site) => MailData[Name]
}

/** Writes and sends the mails of the portal: the reader's language, the installation's theme. */
export class Post {
  readonly #mailer: Mailer
  readonly #site: Site
  readonly #theme: MailTheme
  readonly #log: MailLog
  readonly #siteOf: (whose: Whose) => Promise<LocalSite>

  constructor(
    mailer: Mailer,
    site: Site,
    theme: MailTheme,
    { log, siteOf }: { readonly log: MailLog; readonly siteOf: (whose: Whose) => Promise<LocalSite> },
  ) {
    this.#mailer = mailer
    this.#site = site
    this.#theme = theme
    this.#log = log
    this.#siteOf = siteOf
  }

  /** Rejects with a MailError when the mail server does not take the mail. */
  async send<Name extends MailName>(name: Name, letter: Letter<Name>): Promise<void> {
    const { language, to } = letter
    const local = await this.#siteOf(letter)
    const site = local.over(this.#site)
    const { sender } = local
    const replyTo = letter.replyTo ?? sender.replyTo
    const { from } = sender
    const mail = renderMail(name, {
      language,
      theme: local.theme ?? this.#theme,
      data: letter.data(site),
      links: { home: site.link('/'), support: site.link('/support') },
    })
    const entry = {
      name,
      subject: mail.subject,
      recipients: [to.address],
      userId: letter.about,
      record: letter.record,
    }
    try {
      await this.#mailer.send({ ...mail, to: [to], ...(from && { from }), ...(replyTo && { replyTo }) })
    } catch (error) {
      await this.#log.add({ ...entry, error: error instanceof Error ? error.message : String(error) })
      throw error
    }
    await this.#log.add(entry)
  }
}
