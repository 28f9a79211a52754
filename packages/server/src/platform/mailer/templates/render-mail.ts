import type { Language } from '@gatehouse/contract/language'
import { createTranslator } from '../../i18n/translator.ts'
import { singleLine } from '../single-line.ts'
import { plainText } from './blocks.ts'
import { mailHtml } from './layout.ts'
import type { MailTheme } from './mail-theme.ts'
import { type MailData, type MailLinks, type MailName, mails } from './mails.ts'

export interface RenderMailOptions<Name extends MailName> {
  /** The reader's language, not that of the sending process. */
  language: Language
  theme: MailTheme
  data: MailData[Name]
  links: MailLinks
}

/** A message ready for the mailer, except for its recipient. */
export interface RenderedMail {
  subject: string
  text: string
  /** Absent for plain-text messages. */
  html?: string
  headers: Record<string, string>
}

/** Renders an e-mail in the reader's language and with the installation's theme. */
export function renderMail<Name extends MailName>(
  name: Name,
  options: RenderMailOptions<Name>,
): RenderedMail {
  const { language, theme, data, links } = options
  const t = createTranslator(language)
  const content = mails[name]({ t, language, data, links })
  const subject = singleLine(content.subject)
  if (content.kind === 'plain') return { subject, text: content.text, headers: {} }

  const { site, blocks } = content
  const automatic = t('mail.automatic', { site })
  const company = (theme.companyLine ?? '')
    .split('\n')
    .map((line) => singleLine(line))
    .filter(Boolean)
  const preview = blocks.find((block, index) => index > 0 && block.kind === 'paragraph')
  const html = mailHtml(
    {
      language,
      subject,
      preview: preview?.kind === 'paragraph' ? preview.text : subject,
      site,
      home: links.home,
      blocks,
      foot: [automatic, ...company],
    },
    theme,
  )
  const text = [plainText(blocks), ['-- ', automatic, ...company, links.home].join('\n')].join('\n\n')
  // Tells autoresponders and mailing lists not to reply (RFC 3834).
  return { subject, text: `${text}\n`, html, headers: { 'Auto-Submitted': 'auto-generated' } }
}
