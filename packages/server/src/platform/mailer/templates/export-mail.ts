import type { Language } from '@gatehouse/contract/language'
import type { Translate } from '../../i18n/translator.ts'
import { singleLine } from '../single-line.ts'
import type { Block } from './blocks.ts'
import { button, greeting, moment, paragraph } from './phrases.ts'

/** To the person who requested an export: it is ready, or failed. */
export interface ExportEndedFacts {
  readonly name?: string | null | undefined
  readonly site: string
  readonly kind: 'person' | 'account'
  /** When the archive is deleted; null if the export failed. */
  readonly expiresAt: Date | null
  /** URL of the page with exports. */
  readonly link: string
}

export function composeExportEnded({
  t,
  data,
  language,
}: {
  readonly t: Translate
  readonly data: ExportEndedFacts
  readonly language: Language
}): {
  kind: 'themed'
  subject: string
  site: string
  blocks: Block[]
} {
  const site = singleLine(data.site)
  const { kind, expiresAt } = data
  const told: Block[] =
    expiresAt === null
      ? [paragraph(t(`mail.export-failed.${kind}`)), paragraph(t('mail.export-failed.then'))]
      : [
          paragraph(t(`mail.export-ready.${kind}`)),
          { kind: 'facts', rows: [[t('mail.export-ready.until'), moment(expiresAt, language)]] },
          paragraph(t('mail.export-ready.not-you')),
        ]
  return {
    kind: 'themed',
    subject: t(expiresAt === null ? 'mail.export-failed.subject' : 'mail.export-ready.subject', { site }),
    site,
    blocks: [
      greeting(t, data.name),
      ...told,
      button(t, t('mail.export-ready.button'), data.link),
      paragraph(t('mail.team', { site })),
    ],
  }
}
