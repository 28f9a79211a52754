import type { FileQuota } from '@gatehouse/contract/files/file-history'
import { useQuery } from '@tanstack/react-query'
import { fileSize } from '../../i18n/file-size.ts'
import { useT } from '../../i18n/i18n.ts'
import { hasPermission } from '../../platform/session/auth.ts'
import { ButtonLink } from '../../ui/buttons/button.tsx'
import { UsageMeter } from '../../ui/facts/usage-meter.tsx'
import { usageState } from '../../ui/facts/usage-state.ts'
import { Note } from '../../ui/page/note.tsx'
import { quotaQuery } from './calls.ts'

/** Storage usage as a bar with text. */
export function QuotaMeter() {
  const t = useT()
  const { data } = useQuery(quotaQuery())
  if (!data) return null
  return <UsageMeter label={t('files.room')} used={data.used} limit={data.limit} />
}

/** Warns that storage is nearly or completely full, with what uses it and what can be done. */
export function QuotaNote() {
  const t = useT()
  const { data } = useQuery(quotaQuery())
  if (!data) return null
  const { state, left } = usageState(data)
  if (state === 'roomy') return null
  return (
    <div className="files-note">
      <Note
        tone={state === 'full' ? 'danger' : 'warning'}
        title={state === 'full' ? t('files.full') : t('files.nearlyFull', { left: fileSize(left) })}
        actions={
          hasPermission('users') && (
            <ButtonLink to="/settings" size="small">
              {t('files.moreRoom')}
            </ButtonLink>
          )
        }
      >
        {filling(t, data)}
      </Note>
    </div>
  )
}

/** What could be deleted, largest first. */
function filling(t: ReturnType<typeof useT>, { trash, versions, uploads }: FileQuota): string {
  const parts = [
    { bytes: trash, words: t('files.inTrash', { size: fileSize(trash) }) },
    { bytes: versions, words: t('files.inVersions', { size: fileSize(versions) }) },
    { bytes: uploads, words: t('files.inUploads', { size: fileSize(uploads) }) },
  ].filter(({ bytes }) => bytes > 0)
  if (parts.length === 0) return t('files.fullHint')
  return [...parts.sort((a, b) => b.bytes - a.bytes).map(({ words }) => words), t('files.fullHint')].join(' ')
}
