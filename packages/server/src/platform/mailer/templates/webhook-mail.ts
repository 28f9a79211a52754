import type { Translate } from '../../i18n/translator.ts'
import { singleLine } from '../single-line.ts'
import type { Block } from './blocks.ts'
import { button, greeting, paragraph } from './phrases.ts'

/** To the owner of an account: a webhook doesn't work and was paused. */
export interface WebhookPausedFacts {
  readonly name?: string | null | undefined
  readonly site: string
  /** Name of the webhook. */
  readonly webhook: string
  /** Host that it sends to. */
  readonly host: string
  readonly reason: 'failing' | 'gone'
  /** URL of the page with webhooks. */
  readonly link: string
}

export function composeWebhookPaused({
  t,
  data,
}: {
  readonly t: Translate
  readonly data: WebhookPausedFacts
}): {
  kind: 'themed'
  subject: string
  site: string
  blocks: Block[]
} {
  const site = singleLine(data.site)
  const webhook = singleLine(data.webhook, 100)
  const intro = data.reason === 'gone' ? 'mail.webhook-paused.gone' : 'mail.webhook-paused.failing'
  return {
    kind: 'themed',
    subject: t('mail.webhook-paused.subject', { site }),
    site,
    blocks: [
      greeting(t, data.name),
      paragraph(t(intro, { webhook })),
      {
        kind: 'facts',
        rows: [
          [t('mail.webhook-paused.webhook'), webhook],
          [t('mail.webhook-paused.host'), singleLine(data.host, 100)],
        ],
      },
      paragraph(t('mail.webhook-paused.then')),
      button(t, t('mail.webhook-paused.button'), data.link),
      paragraph(t('mail.team', { site })),
    ],
  }
}
