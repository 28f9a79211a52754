import type { TrashItem } from '@gatehouse/contract/files/file-history'
import IconArrowBackUp from '@tabler/icons-react/dist/esm/icons/IconArrowBackUp.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { fileSize } from '../../../i18n/file-size.ts'
import { day, moment } from '../../../i18n/format.ts'
import { useT } from '../../../i18n/i18n.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import type { Column } from '../../../ui/data-table/data-table.tsx'
import { Thumbnail } from '../thumbnail.tsx'
import { useRestore } from './use-restore.ts'

/** Columns of the trash: name, former location, deletion date, and deadline for restoring. */
export function useTrashColumns(onEnd: (items: readonly TrashItem[]) => void): readonly Column<TrashItem>[] {
  const t = useT()
  const restore = useRestore()
  return [
    {
      name: 'name',
      label: t('words.name'),
      sortable: true,
      phone: 'main',
      cell: (item) => (
        <span className="files-name">
          <Thumbnail item={{ ...item, mtime: item.updated_at, hasThumbnail: false }} size="64" />
          <span className="files-name-text">
            <bdi className="medium">{item.name}</bdi>
            <span className="files-second">
              {[
                t('files.wasIn', { folder: item.from ?? t('words.files') }),
                item.items > 0 && t('files.withItems', { count: item.items }),
                item.deleted_by && t('files.deletedBy', { name: item.deleted_by }),
              ]
                .filter(Boolean)
                .join(' · ')}
            </span>
          </span>
        </span>
      ),
    },
    {
      name: 'size',
      label: t('files.size'),
      sortable: true,
      align: 'end',
      phone: 'hidden',
      width: '10%',
      cell: ({ total_size }) => fileSize(total_size),
    },
    {
      name: 'deleted',
      label: t('words.deleted'),
      sortable: true,
      align: 'end',
      phone: 'hidden',
      width: '18%',
      cell: ({ deleted_at }) => <span className="text-3">{moment(deleted_at)}</span>,
    },
    {
      name: 'expires',
      label: t('files.expiresAt'),
      align: 'end',
      phone: 'meta',
      width: '14%',
      cell: ({ expires_at, total_size }) => (
        <>
          <span className="files-phone">{fileSize(total_size)} · </span>
          <span className="files-phone">{t('files.expiresAt')} </span>
          <span className="text-3">{day(expires_at)}</span>
        </>
      ),
    },
    {
      name: 'acts',
      label: t('words.actions'),
      align: 'end',
      phone: 'meta',
      width: '190px',
      cell: (item) => (
        <span className="row files-trash-acts">
          <Button size="small" icon={IconArrowBackUp} onPress={() => restore([item])}>
            {t('words.restore')}
            <span className="visually-hidden"> {item.name}</span>
          </Button>
          <Button
            size="small"
            variant="quiet"
            icon={IconTrash}
            label={t('files.deleteForGoodOf', { name: item.name })}
            onPress={() => onEnd([item])}
          />
        </span>
      ),
    },
  ]
}
