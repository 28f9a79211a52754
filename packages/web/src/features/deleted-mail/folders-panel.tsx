import type { DeletedFolder } from '@gatehouse/contract/mail/deleted-mail'
import IconArrowBackUp from '@tabler/icons-react/dist/esm/icons/IconArrowBackUp.mjs'
import { fileSize } from '../../i18n/file-size.ts'
import { moment, number, toDate } from '../../i18n/format.ts'
import { type Translate, useT } from '../../i18n/i18n.ts'
import { useAct } from '../../platform/api/use-act.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { type Column, DataTable } from '../../ui/data-table/data-table.tsx'
import { Panel } from '../../ui/page/panel.tsx'

interface FoldersPanelProps {
  id: string
  folders: readonly DeletedFolder[]
}

/** Deleted folders, each with a button to restore it with its messages. */
export function FoldersPanel({ id, folders }: FoldersPanelProps) {
  const t = useT()
  return (
    <Panel title={t('deletedmail.folders')} flush>
      {folders.length === 0 ? (
        <p className="deleted-mail-none text-2">{t('deletedmail.noFolders')}</p>
      ) : (
        <DataTable
          label={t('deletedmail.folders')}
          columns={columns(t, id)}
          rows={folders}
          rowKey={(folder) => folder.id}
        />
      )}
    </Panel>
  )
}

function columns(t: Translate, id: string): Column<DeletedFolder>[] {
  return [
    {
      name: 'name',
      label: t('words.name'),
      phone: 'main',
      width: '44%',
      cell: ({ name }) => <span className="medium deleted-mail-name">{name}</span>,
    },
    {
      name: 'deleted',
      label: t('words.deletedOn'),
      phone: 'meta',
      cell: ({ deleted_at }) => (
        <time className="text-2" dateTime={toDate(deleted_at).toISOString()}>
          {moment(deleted_at)}
        </time>
      ),
    },
    {
      name: 'content',
      label: t('deletedmail.content'),
      phone: 'meta',
      cell: ({ messages, size }) => (
        <span className="text-2 nowrap">
          {t('deletedmail.inFolder', {
            count: messages,
            number: number(messages),
            size: fileSize(size),
          })}
        </span>
      ),
    },
    {
      name: 'restore',
      label: t('words.action'),
      hideLabel: true,
      align: 'end',
      phone: 'aside',
      width: '170px',
      cell: (folder) => <Restore id={id} folder={folder} />,
    },
  ]
}

function Restore({ id, folder }: { id: string; folder: DeletedFolder }) {
  const t = useT()
  const restore = useAct('POST /api/v4/users/{id}/deleted-mail/folders', [
    'GET /api/v4/users/{id}/deleted-mail',
  ])
  return (
    <Button
      size="small"
      icon={IconArrowBackUp}
      busyLabel={t('deletedmail.restoring')}
      onPress={() => restore({ params: { id }, body: { folder: folder.id } })}
    >
      {t('words.restore')}
      <span className="visually-hidden"> {folder.name}</span>
    </Button>
  )
}
