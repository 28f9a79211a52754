import type { AppPasswordScope } from '@gatehouse/contract/sessions/app-passwords'
import type { MessageKey } from '../../i18n/areas.ts'

/** In display order. */
export const scopes: readonly AppPasswordScope[] = ['imap', 'smtp', 'dav', 'files']

export const scopeLabels: Readonly<Record<AppPasswordScope, MessageKey>> = {
  imap: 'apppasswords.imap',
  smtp: 'apppasswords.smtp',
  dav: 'apppasswords.dav',
  files: 'words.files',
}

export const scopeTexts: Readonly<Record<AppPasswordScope, MessageKey>> = {
  imap: 'apppasswords.imapText',
  smtp: 'apppasswords.smtpText',
  dav: 'apppasswords.davText',
  files: 'apppasswords.filesText',
}
