import { useT } from '../../i18n/i18n.ts'
import { CopyValue } from '../../ui/buttons/copy-value.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Note } from '../../ui/page/note.tsx'

export interface SecretDialogProps {
  id: string
  /** Null: a public client without a secret. */
  secret: string | null
  onClose: () => void
}

/** Shows a secret, which is visible only once. */
export function SecretDialog({ id, secret, onClose }: SecretDialogProps) {
  const t = useT()
  return (
    <Dialog open wide title={t('clients.credentials')} onClose={onClose}>
      <div className="stack">
        <div>
          <p className="field-label">{t('clients.id')}</p>
          <CopyValue boxed text={id} label={t('clients.copyId')} />
        </div>
        {secret === null ? (
          <p>{t('clients.publicText')}</p>
        ) : (
          <>
            <div>
              <p className="field-label">{t('clients.secret')}</p>
              <CopyValue boxed text={secret} label={t('clients.copySecret')} />
            </div>
            <Note tone="warning" title={t('clients.secretOnce')}>
              {t('clients.secretOnceText')}
            </Note>
          </>
        )}
      </div>
    </Dialog>
  )
}
