import { useT } from '../../i18n/i18n.ts'
import { CopyValue } from '../../ui/buttons/copy-value.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Note } from '../../ui/page/note.tsx'

/** Shows a new key once, with how to use it. */
export function KeyDialog({ name, secret, onClose }: { name: string; secret: string; onClose: () => void }) {
  const t = useT()
  return (
    <Dialog open title={t('apikeys.keyTitle', { name })} cancelLabel={t('words.done')} onClose={onClose}>
      <Note tone="warning" title={t('apikeys.onceTitle')}>
        {t('apikeys.onceText')}
      </Note>
      <div className="api-key-value">
        <span className="field-label">{t('words.apiKey')}</span>
        <CopyValue boxed text={secret} label={t('words.apiKey')} />
      </div>
      <p className="small text-3">
        {t('apikeys.howTo')} <a href="/api/docs">{t('apikeys.docs')}</a>
      </p>
    </Dialog>
  )
}
