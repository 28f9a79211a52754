import type { FileVersion } from '@gatehouse/contract/files/file-history'
import type { FileDetail } from '@gatehouse/contract/files/file-items'
import IconArrowBackUp from '@tabler/icons-react/dist/esm/icons/IconArrowBackUp.mjs'
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import IconUpload from '@tabler/icons-react/dist/esm/icons/IconUpload.mjs'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { fileSize } from '../../../i18n/file-size.ts'
import { day, moment, number } from '../../../i18n/format.ts'
import { useT } from '../../../i18n/i18n.ts'
import { call } from '../../../platform/api/api.ts'
import { useApi } from '../../../platform/api/query.tsx'
import { useAct } from '../../../platform/api/use-act.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { type Column, DataTable, DataTableSkeleton } from '../../../ui/data-table/data-table.tsx'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { LoadFailed } from '../../../ui/page/load-failed.tsx'
import { Panel, Tag } from '../../../ui/page/panel.tsx'
import { saveUrl } from '../../../ui/save-url.ts'
import { forgetFiles, quotaQuery } from '../calls.ts'
import { uploadQueue } from '../uploads/uploads.ts'

/** The versions of a file: view, restore, delete and add. */
export function VersionsTab({ file }: { file: FileDetail }) {
  const t = useT()
  const [ended, setEnded] = useState<FileVersion>()
  const { data, isError, refetch } = useApi(
    'GET /api/v4/fs/{id}/versions',
    { params: { id: file.id } },
    { staleTime: 0 },
  )
  const quota = useQuery(quotaQuery())
  const columns = useColumns(file, setEnded)
  return (
    <Panel
      title={t('files.versions')}
      flush
      actions={<NewVersion file={file} />}
      footer={
        quota.data &&
        t('files.versionsKept', { count: quota.data.versions_kept, days: quota.data.version_days })
      }
    >
      {isError && (
        <div className="panel-body">
          <LoadFailed onRetry={refetch} />
        </div>
      )}
      {!data && !isError && <DataTableSkeleton columns={columns} count={2} />}
      {data && (
        <DataTable label={t('files.versions')} columns={columns} rows={data.list} rowKey={({ id }) => id} />
      )}
      {ended && <EndVersionDialog file={file} version={ended} onClose={() => setEnded(undefined)} />}
    </Panel>
  )
}

function NewVersion({ file }: { file: FileDetail }) {
  const t = useT()
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button size="small" icon={IconUpload} onPress={() => input.current?.click()}>
        {t('files.newVersion')}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={t('files.newVersion')}
        onChange={(event) => {
          const chosen = event.target.files?.[0]
          event.target.value = ''
          if (!chosen) return
          const place = { parent: null, path: [], item: file.id }
          uploadQueue().add([{ file: chosen, name: file.name, place }])
        }}
      />
    </>
  )
}

function useColumns(file: FileDetail, onEnd: (version: FileVersion) => void): readonly Column<FileVersion>[] {
  const t = useT()
  return [
    {
      name: 'number',
      label: t('files.version'),
      phone: 'main',
      cell: ({ number: count, isCurrent, created_at }) => (
        <span className="row">
          <span className="medium">{t('files.versionNumber', { number: number(count) })}</span>
          {isCurrent && <Tag accent>{t('files.isCurrent')}</Tag>}
          <span className="files-phone text-3">{moment(created_at)}</span>
        </span>
      ),
    },
    {
      name: 'when',
      label: t('words.changed'),
      phone: 'hidden',
      width: '18%',
      cell: ({ created_at }) => moment(created_at),
    },
    { name: 'who', label: t('words.by'), phone: 'meta', width: '22%', cell: ({ user }) => user ?? '–' },
    {
      name: 'size',
      label: t('files.size'),
      phone: 'meta',
      align: 'end',
      width: '10%',
      cell: ({ size }) => fileSize(size),
    },
    {
      name: 'kept',
      label: t('files.keptUntil'),
      phone: 'hidden',
      align: 'end',
      width: '14%',
      cell: ({ kept_until }) => <span className="text-3">{kept_until ? day(kept_until) : '–'}</span>,
    },
    {
      name: 'acts',
      label: t('words.actions'),
      phone: 'meta',
      align: 'end',
      width: '210px',
      cell: (version) => <VersionActs file={file} version={version} onEnd={onEnd} />,
    },
  ]
}

interface VersionActsProps {
  file: FileDetail
  version: FileVersion
  onEnd: (version: FileVersion) => void
}

function VersionActs({ file, version, onEnd }: VersionActsProps) {
  const t = useT()
  const act = useAct('POST /api/v4/fs/{id}/versions/{version}/restore', forgetFiles)
  const params = { id: file.id, version: version.id }
  const values = { number: number(version.number) }
  return (
    <span className="row files-trash-acts">
      {!version.isCurrent && (
        <Button size="small" icon={IconArrowBackUp} onPress={() => act({ params, body: {} })}>
          {t('words.restore')}
          <span className="visually-hidden"> {t('files.versionNumber', values)}</span>
        </Button>
      )}
      <Button
        size="small"
        variant="quiet"
        icon={IconDownload}
        label={t('files.downloadVersion', values)}
        onPress={async () => {
          const { downloadUrl } = await call('GET /api/v4/fs/{id}/versions/{version}', { params })
          saveUrl(downloadUrl)
        }}
      />
      {!version.isCurrent && file.isOwner && (
        <Button
          size="small"
          variant="quiet"
          icon={IconTrash}
          label={t('files.deleteVersion', values)}
          onPress={() => onEnd(version)}
        />
      )}
    </span>
  )
}

function EndVersionDialog({
  file,
  version,
  onClose,
}: Pick<VersionActsProps, 'file' | 'version'> & { onClose: () => void }) {
  const t = useT()
  const act = useAct('DELETE /api/v4/fs/{id}/versions/{version}', forgetFiles)
  const end = async () => {
    await act({ params: { id: file.id, version: version.id } })
  }
  return (
    <Dialog
      open
      title={t('files.endVersionTitle', { number: number(version.number), name: file.name })}
      onClose={onClose}
      cancelFocus
      actions={[
        { preset: 'delete', label: t('files.deleteForGood'), busyLabel: t('words.deleting'), onPress: end },
      ]}
    >
      <p>{t('files.endVersionText', { time: moment(version.created_at), size: fileSize(version.size) })}</p>
    </Dialog>
  )
}
