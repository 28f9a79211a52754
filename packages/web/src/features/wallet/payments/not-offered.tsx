import { useT } from '../../../i18n/i18n.ts'
import { canContactSupport } from '../../../platform/config.ts'
import { ButtonLink } from '../../../ui/buttons/button.tsx'
import { Note } from '../../../ui/page/note.tsx'

/** Explains the missing payment buttons if payments aren't available. */
export function NotOffered() {
  const t = useT()
  return (
    <Note
      title={t('payment.notOffered')}
      actions={
        canContactSupport() && <ButtonLink to="/support/contact">{t('words.contactSupport')}</ButtonLink>
      }
    >
      {t('payment.notOfferedText')}
    </Note>
  )
}
