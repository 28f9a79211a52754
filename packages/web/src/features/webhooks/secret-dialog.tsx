import { useT } from '../../i18n/i18n.ts'
import { CopyValue } from '../../ui/buttons/copy-value.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Note } from '../../ui/page/note.tsx'

/** Shows the secret of a webhook once, with how to use it. */
export function SecretDialog({
  name,
  secret,
  onClose,
}: {
  name: string
  secret: string
  onClose: () => void
}) {
  const t = useT()
  return (
    <Dialog open title={t('webhooks.secretTitle', { name })} cancelLabel={t('words.done')} onClose={onClose}>
      <Note tone="warning" title={t('webhooks.onceTitle')}>
        {t('webhooks.onceText')}
      </Note>
      <div className="webhook-secret">
        <span className="field-label">{t('webhooks.secret')}</span>
        <CopyValue boxed text={secret} label={t('webhooks.secret')} />
      </div>
      <p className="small text-3">
        {t('webhooks.howTo')} <a href="/api/docs">{t('webhooks.docs')}</a>
      </p>
    </Dialog>
  )
}
