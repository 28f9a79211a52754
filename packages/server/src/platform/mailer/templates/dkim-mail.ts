import type { Translate } from '../../i18n/translator.ts'
import { singleLine } from '../single-line.ts'
import { button, greeting, paragraph } from './phrases.ts'

/** New DKIM keys of a domain, whose records its owner has to publish. */
export interface DkimKeyFacts {
  readonly name?: string | null | undefined
  readonly site: string
  /** In Unicode form. */
  readonly domain: string
  /** Names with values as in a zone file. */
  readonly records: readonly { readonly name: string; readonly value: string }[]
  /** URL of the domain's DNS records. */
  readonly link: string
}

/** Composes the e-mail: why there are new records, which, and what to do with the old ones. */
export function composeDkimMail({ t, data }: { readonly t: Translate; readonly data: DkimKeyFacts }) {
  const domain = singleLine(data.domain)
  const site = singleLine(data.site)
  const rows = data.records.map(({ name, value }) => [singleLine(name), singleLine(value)] as const)
  return {
    kind: 'themed' as const,
    subject: t('mail.dkim-key-created.subject', { domain }),
    site,
    blocks: [
      greeting(t, data.name),
      paragraph(t('mail.dkim-key-created.intro', { domain })),
      paragraph(t('mail.dkim-key-created.how', { count: rows.length })),
      { kind: 'facts' as const, rows },
      paragraph(t('mail.dkim-key-created.then')),
      button(t, t('mail.dkim-key-created.button'), data.link),
      paragraph(t('mail.team', { site })),
    ],
  }
}
