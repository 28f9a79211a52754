import type { DataExport, ExportKind } from '@gatehouse/contract/directory/data-exports'
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import IconPackageExport from '@tabler/icons-react/dist/esm/icons/IconPackageExport.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { useState } from 'react'
import type { MessageKey } from '../../i18n/areas.ts'
import { fileSize } from '../../i18n/file-size.ts'
import { moment, number } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { useAct } from '../../platform/api/use-act.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Note } from '../../ui/page/note.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { saveUrl } from '../../ui/save-url.ts'

const texts = {
  person: { title: 'export.person', text: 'export.personText', action: 'export.requestPerson' },
  account: { title: 'export.account', text: 'export.accountText', action: 'export.requestAccount' },
} as const satisfies Record<ExportKind, Record<'title' | 'text' | 'action', MessageKey>>

export interface ExportPanelProps {
  kind: ExportKind
  /** Newest first. */
  exports: readonly DataExport[]
  /** Days for which an archive is available. */
  days: number
}

/** Requests an export of one kind and shows the newest one. */
export function ExportPanel({ kind, exports, days }: ExportPanelProps) {
  const t = useT()
  const { title, text, action } = texts[kind]
  const request = useAct('POST /api/v4/exports', ['GET /api/v4/exports'])
  const [newest] = exports
  const isOpen = newest?.state === 'waiting' || newest?.state === 'running'
  return (
    <Panel
      title={t(title)}
      actions={
        !isOpen && (
          <Button icon={IconPackageExport} onPress={() => request({ body: { kind } })}>
            {t(action)}
          </Button>
        )
      }
    >
      <div className="stack">
        <p>{t(text)}</p>
        <p className="text-3 small">{t('export.available', { days })}</p>
        {newest && <Newest of={newest} />}
        {exports.slice(1).map((one) => one.state === 'ready' && <Ready key={one.id} of={one} />)}
      </div>
    </Panel>
  )
}

function Newest({ of: one }: { of: DataExport }) {
  const t = useT()
  if (one.state === 'ready') return <Ready of={one} />
  if (one.state === 'failed') {
    return (
      <Note tone="danger" title={t('export.failed')}>
        {t('export.failedText')}
      </Note>
    )
  }
  if (one.state === 'expired')
    return <p className="text-3">{t('export.expired', { moment: moment(one.created_at) })}</p>
  return <Running of={one} />
}

function Running({ of: { id, state, objects, total } }: { of: DataExport }) {
  const t = useT()
  const remove = useAct('DELETE /api/v4/exports/{id}', ['GET /api/v4/exports'])
  // mail isn't counted beforehand
  const share = total === null || total === 0 ? undefined : Math.min(objects, total * 0.99)
  const words = state === 'waiting' ? t('export.waiting') : t('export.running', { count: number(objects) })
  return (
    <div className="export-state">
      <div className="export-progress">
        <progress
          aria-label={t('words.progress')}
          {...(share !== undefined && total !== null && { value: share, max: total })}
        />
        <p className="small text-3" role="status">
          {words}
        </p>
      </div>
      <Button onPress={() => remove({ params: { id } })}>{t('export.cancel')}</Button>
    </div>
  )
}

function Ready({ of: one }: { of: DataExport }) {
  const t = useT()
  const [isDeleting, setDeleting] = useState(false)
  const download = useAct('POST /api/v4/exports/{id}/download')
  const remove = useAct('DELETE /api/v4/exports/{id}', ['GET /api/v4/exports'])
  const params = { id: one.id }
  const save = async () => {
    const { downloadUrl } = await download({ params })
    saveUrl(downloadUrl)
  }
  const facts = [
    fileSize(one.size ?? 0),
    t('export.objects', { count: one.objects }),
    ...(one.expiresAt === null ? [] : [t('export.until', { moment: moment(one.expiresAt) })]),
  ]
  return (
    <div className="export-state">
      <div>
        <p className="medium">{t('export.ready', { moment: moment(one.takenAt ?? one.created_at) })}</p>
        <p className="small text-3">{facts.join(' · ')}</p>
      </div>
      <span className="row">
        <Button variant="primary" icon={IconDownload} onPress={save}>
          {t('words.download')}
        </Button>
        <Button
          variant="quiet"
          icon={IconTrash}
          label={t('export.delete')}
          onPress={() => setDeleting(true)}
        />
      </span>
      {isDeleting && (
        <Dialog
          open
          cancelFocus
          title={t('export.deleteTitle')}
          onClose={() => setDeleting(false)}
          actions={[
            {
              ...{ preset: 'delete', label: t('export.delete') },
              onPress: async () => {
                await remove({ params })
              },
            },
          ]}
        >
          <p>{t('export.deleteText')}</p>
        </Dialog>
      )}
    </div>
  )
}
