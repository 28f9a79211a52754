import { useT } from '../../../i18n/i18n.ts'
import { canContactSupport } from '../../../platform/config.ts'
import { ButtonLink } from '../../../ui/buttons/button.tsx'
import { Note } from '../../../ui/page/note.tsx'

/** Where nobody takes payments there is no button for them, and here is why. */
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
