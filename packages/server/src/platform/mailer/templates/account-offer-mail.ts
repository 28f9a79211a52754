import { displayAddress } from '@gatehouse/contract/canonical-address'
import type { MessageKey, Translate } from '../../i18n/translator.ts'
import { singleLine } from '../single-line.ts'
import type { Block } from './blocks.ts'
import { button, greeting, paragraph } from './phrases.ts'

/** An offer that the recipient accepts through the link. */
export interface OfferFacts {
  readonly kind: 'controller' | 'give' | 'take'
  readonly name?: string | null | undefined
  /** Who made the offer; absent for support staff. */
  readonly from?: string | null | undefined
  /** E-mail address of the account's owner. */
  readonly account: string
  /** The new owner in a transfer of the account. */
  readonly heir?: string | null | undefined
  readonly site: string
  readonly validDays: number
  readonly link: string
}

interface Texts {
  readonly subject: MessageKey
  readonly intro: MessageKey
  readonly effect: MessageKey
}

const texts: Readonly<Record<OfferFacts['kind'], Texts>> = {
  controller: {
    subject: 'mail.offer.controller.subject',
    intro: 'mail.offer.controller.intro',
    effect: 'mail.offer.controller.effect',
  },
  give: {
    subject: 'mail.offer.give.subject',
    intro: 'mail.offer.give.intro',
    effect: 'mail.offer.give.effect',
  },
  take: {
    subject: 'mail.offer.take.subject',
    intro: 'mail.offer.take.intro',
    effect: 'mail.offer.take.effect',
  },
}

/** Composes the e-mail: who offers what, what accepting means, and the link. */
export function composeOfferMail({ t, data }: { readonly t: Translate; readonly data: OfferFacts }): {
  kind: 'themed'
  subject: string
  site: string
  blocks: Block[]
} {
  const site = singleLine(data.site)
  const { subject, intro, effect } = texts[data.kind]
  const from = data.from ? shown(data.from) : t('mail.offer.support')
  const heir = shown(data.heir ?? '')
  return {
    kind: 'themed',
    subject: t(subject, { site }),
    site,
    blocks: [
      greeting(t, data.name),
      paragraph(t(intro, { from, account: shown(data.account), heir })),
      paragraph(t(effect, { heir })),
      button(t, t('mail.offer.button'), data.link),
      paragraph(`${t('mail.offer.validity', { days: data.validDays })} ${t('mail.offer.ignore')}`),
      paragraph(t('mail.team', { site })),
    ],
  }
}

function shown(address: string): string {
  return singleLine(displayAddress(address))
}
