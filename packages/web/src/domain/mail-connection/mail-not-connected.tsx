import type { ReactNode } from 'react'
import { useT } from '../../i18n/i18n.ts'
import { config } from '../../platform/config.ts'
import { Note } from '../../ui/page/note.tsx'
import './mail-connection.css'

/** Says that there are no mailboxes behind the portal. Always shown where a page depends on that alone. */
export function MailNotConnected({ children }: { children?: ReactNode }) {
  const t = useT()
  return (
    <Note tone="warning" title={t('words.mailNotConnected')}>
      {children ?? t('words.mailNotConnectedText')}
    </Note>
  )
}

/** The same, unless mailboxes exist. */
export function MailConnectionNote() {
  return config['app.mail_connected'] ? null : (
    <div className="mail-connection">
      <MailNotConnected />
    </div>
  )
}
