import { displayAddress } from '@gatehouse/contract/canonical-address'
import type { SharedItem } from '@gatehouse/contract/files/file-shares'
import { fileSize } from '../../../i18n/file-size.ts'
import { day, moment } from '../../../i18n/format.ts'
import { type Translate, useT } from '../../../i18n/i18n.ts'
import { useApiPage } from '../../../platform/api/query.tsx'
import { DataList } from '../../../ui/data-table/data-list.tsx'
import type { Column } from '../../../ui/data-table/data-table.tsx'
import { useListPlace } from '../../../ui/data-table/list-place.ts'
import { ListSearch } from '../../../ui/data-table/list-search.tsx'
import { TableLink } from '../../../ui/data-table/table-link.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { PageHead } from '../../../ui/page/page-head.tsx'
import { itemPath } from '../calls.ts'
import { FilesNav } from '../files-nav.tsx'
import { Thumbnail } from '../thumbnail.tsx'
import { UploadBar } from '../uploads/upload-bar.tsx'
import { fileSorts } from './folder-place.ts'

const options = { sorts: fileSorts, filters: {}, size: 100 } as const

/** Items others share with the user. */
export function SharedScreen() {
  const t = useT()
  const navigation = useListPlace(options)
  const { page, size, search, sort, order } = navigation.place
  const query = useApiPage('GET /api/v4/fs/shared', {
    query: { page, size, sort, order, search: search || null },
  })
  const total = query.data?.total
  return (
    <>
      <PageHead
        title={t('files.shared')}
        trail={[{ label: t('words.files'), to: '/files' }]}
        facts={total === undefined || search ? '\u00a0' : t('files.count', { count: total })}
      />
      <FilesNav current="shared" />
      <DataList
        label={t('files.shared')}
        columns={columns(t)}
        rowKey={({ share }) => share.id}
        query={query}
        navigation={navigation}
        tools={
          <ListSearch
            label={t('files.search')}
            placeholder={t('files.searchPlaceholder')}
            value={search}
            onSearch={(text) => navigation.go({ search: text }, { replace: search !== '' && text !== '' })}
          />
        }
        empty={<EmptyState title={t('files.sharedEmpty')}>{t('files.sharedEmptyText')}</EmptyState>}
      />
      <UploadBar />
    </>
  )
}

function columns(t: Translate): readonly Column<SharedItem>[] {
  return [
    {
      name: 'name',
      label: t('words.name'),
      sortable: true,
      phone: 'main',
      cell: (item) => (
        <span className="files-name">
          <Thumbnail item={item} size="64" />
          <span className="files-name-text">
            <TableLink to={itemPath(item)}>{item.name}</TableLink>
            <span className="files-second files-phone">
              {item.owner.name || displayAddress(item.owner.email)}
            </span>
          </span>
        </span>
      ),
    },
    {
      name: 'owner',
      label: t('files.owner'),
      phone: 'hidden',
      width: '22%',
      cell: ({ owner }) => owner.name || displayAddress(owner.email),
    },
    {
      name: 'rights',
      label: t('words.rights'),
      phone: 'meta',
      width: '18%',
      cell: ({ share }) => t(share.permissions === 'read-write' ? 'files.readWrite' : 'files.readOnly'),
    },
    {
      name: 'size',
      label: t('files.size'),
      sortable: true,
      align: 'end',
      phone: 'hidden',
      width: '10%',
      cell: ({ type, size }) => (type === 'collection' ? <span className="text-3">–</span> : fileSize(size)),
    },
    {
      name: 'since',
      label: t('files.sharedSince'),
      align: 'end',
      phone: 'hidden',
      width: '14%',
      cell: ({ share }) => (
        <span className="text-3" title={moment(share.created_at)}>
          {day(share.created_at)}
        </span>
      ),
    },
  ]
}
