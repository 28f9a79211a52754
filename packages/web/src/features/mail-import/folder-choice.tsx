import type { PreviewFolder } from '@gatehouse/contract/mail/mail-import'
import { useState } from 'react'
import { fileSize } from '../../i18n/file-size.ts'
import { number } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { useAct } from '../../platform/api/use-act.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Checkbox } from '../../ui/fields/checkbox.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { Note } from '../../ui/page/note.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import type { OldServer, Preview } from './server-form.tsx'

interface FolderChoiceProps {
  id: string
  server: OldServer
  preview: Preview
  /** The import started, or the reader goes back to the server. */
  onClose: () => void
}

/** The second step: what the old server has, and where it goes. */
export function FolderChoice({ id, server, preview, onClose }: FolderChoiceProps) {
  const t = useT()
  const [folders, setFolders] = useState<readonly PreviewFolder[]>(preview.folders)
  const start = useAct('POST /api/v4/users/{id}/mail-imports', ['GET /api/v4/users/{id}/mail-imports'])
  const chosen = folders.filter(({ isIncluded }) => isIncluded)
  const change = (index: number, part: Partial<PreviewFolder>) =>
    setFolders((all) => all.map((one, at) => (at === index ? { ...one, ...part } : one)))
  const submit = () =>
    start(
      {
        params: { id },
        body: { ...server, folders: chosen.map(({ name, path, target }) => ({ name, path, target })) },
      },
      onClose,
    )
  const isIncomplete = chosen.some(({ target }) => target.trim() === '')
  return (
    <Panel
      flush
      title={t('mailimport.folders', { host: server.host })}
      footer={
        <>
          <p>{totals(t, chosen, preview)}</p>
          <Button onPress={onClose}>{t('words.back')}</Button>
          <Button
            variant="primary"
            onPress={submit}
            disabled={chosen.length === 0 || isIncomplete}
            busyLabel={t('mailimport.starting')}
          >
            {t('mailimport.start')}
          </Button>
        </>
      }
    >
      <Room chosen={chosen} preview={preview} />
      <ul className="mail-import-folders" aria-label={t('mailimport.foldersLabel')}>
        {folders.map((folder, index) => (
          <FolderRow
            key={folder.name}
            folder={folder}
            index={index}
            onChange={(part) => change(index, part)}
          />
        ))}
      </ul>
    </Panel>
  )
}

interface FolderRowProps {
  folder: PreviewFolder
  index: number
  onChange: (part: Partial<PreviewFolder>) => void
}

function FolderRow({ folder, index, onChange }: FolderRowProps) {
  const t = useT()
  const { path, messages, bytes, target, isIncluded } = folder
  const size = [
    messages === null ? t('mailimport.unknownSize') : t('mailimport.messages', { count: messages }),
    ...(bytes === null ? [] : [fileSize(bytes)]),
  ]
  return (
    <li>
      <Checkbox
        id={`mail-import-folder-${index}`}
        label={path}
        hint={size.join(' · ')}
        checked={isIncluded}
        onChecked={(checked) => onChange({ isIncluded: checked })}
      />
      {isIncluded && (
        <TextField
          id={`mail-import-target-${index}`}
          label={t('mailimport.target', { folder: path })}
          hideLabel
          exact
          required
          maxLength={400}
          value={target}
          onValue={(value) => onChange({ target: value })}
        />
      )}
    </li>
  )
}

/** Says if what was chosen doesn't fit. */
function Room({ chosen, preview: { quota } }: { chosen: readonly PreviewFolder[]; preview: Preview }) {
  const t = useT()
  const wanted = bytesOf(chosen)
  const free = quota.limit === null ? Number.POSITIVE_INFINITY : quota.limit - quota.used
  if (wanted <= free) return null
  return (
    <div className="mail-import-note">
      <Note tone="warning" title={t('mailimport.tooMuch')} live>
        {t('mailimport.tooMuchText', { size: fileSize(wanted), free: fileSize(Math.max(free, 0)) })}
      </Note>
    </div>
  )
}

function bytesOf(folders: readonly PreviewFolder[]): number {
  return folders.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0)
}

function totals(
  t: ReturnType<typeof useT>,
  chosen: readonly PreviewFolder[],
  { mostBytes }: Preview,
): string {
  const messages = chosen.reduce((sum, folder) => sum + (folder.messages ?? 0), 0)
  const total = t('mailimport.total', {
    count: messages,
    folders: number(chosen.length),
    size: fileSize(bytesOf(chosen)),
  })
  return `${total} ${t('mailimport.limit', { size: fileSize(mostBytes) })}`
}
