import type { Language } from '@gatehouse/contract/language'
import type { MailLog, MailRecord } from './mail-log.ts'
import type { CalendarPart, MailAddress } from './mail-message.ts'
import type { Mailer } from './mailer.ts'
import type { MailTheme } from './templates/mail-theme.ts'
import type { MailData, MailName } from './templates/mails.ts'
import { renderMail } from './templates/render-mail.ts'

/** The installation as e-mails refer to it. */
export interface Site {
  readonly name: string
  /** Returns the absolute URL of a page. */
  link(path: string): string
}

/** The installation as a tenant's users know it: resellers have their own names, URLs and senders. */
export interface LocalSite {
  over(site: Site): Site
  readonly sender: { readonly from?: MailAddress; readonly replyTo?: MailAddress }
  /** Defaults to the installation's theme. */
  readonly theme?: MailTheme | undefined
}

/** Selects the tenant whose branding is used: that of a user, or the given one. */
export interface Whose {
  readonly about?: number | undefined
  readonly tenantId?: number | undefined
}

export interface Letter<Name extends MailName> {
  readonly to: MailAddress
  /** Defaults to the tenant's sender. */
  readonly from?: MailAddress
  readonly replyTo?: MailAddress
  readonly calendar?: CalendarPart
  readonly language: Language
  /** The user the message is about: selects the tenant's branding and is stored in the mail log. */
  readonly about?: number
  /** Tenant to send for when the message isn't about a user. */
  readonly tenantId?: number
  /** If absent, the message appears only in the mail log. */
  readonly record?: MailRecord
  readonly data: (site: Site) => MailData[Name]
}

/** Renders and sends the portal's e-mails in the reader's language and with the installation's theme. */
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

  /** Rejects with a MailError if the mail server does not accept the message. */
  async send<Name extends MailName>(name: Name, letter: Letter<Name>): Promise<void> {
    const { language, to } = letter
    const local = await this.#siteOf(letter)
    const site = local.over(this.#site)
    const { sender } = local
    const replyTo = letter.replyTo ?? sender.replyTo
    const from = letter.from ?? sender.from
    const { calendar } = letter
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
      await this.#mailer.send({
        ...mail,
        to: [to],
        ...(from && { from }),
        ...(replyTo && { replyTo }),
        ...(calendar && { calendar }),
      })
    } catch (error) {
      await this.#log.add({ ...entry, error: error instanceof Error ? error.message : String(error) })
      throw error
    }
    await this.#log.add(entry)
  }
}
