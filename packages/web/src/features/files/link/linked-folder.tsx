import type { LinkedItem } from '@gatehouse/contract/files/file-shares'
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'

import { useId } from 'react'
import { fileSize } from '../../../i18n/file-size.ts'
import { moment } from '../../../i18n/format.ts'
import { useT } from '../../../i18n/i18n.ts'
import { useApiPage } from '../../../platform/api/query.tsx'
import { Link } from '../../../router/link.tsx'
import { useLocation } from '../../../router/router-context.tsx'
import { Button } from '../../../ui/buttons/button.tsx'
import { type Column, DataTable, DataTableSkeleton } from '../../../ui/data-table/data-table.tsx'
import { useListPlace } from '../../../ui/data-table/list-place.ts'
import { Pager } from '../../../ui/data-table/pager.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { LoadFailed } from '../../../ui/page/load-failed.tsx'
import { Thumbnail } from '../thumbnail.tsx'
import type { LinkActs } from './opened-link.tsx'

const options = { sorts: ['name'], filters: {}, size: 100 } as const

export interface LinkedFolderProps {
  token: string
  access: string
  /** The item the link opens. */
  root: LinkedItem
  acts: LinkActs
  /** Downloads remain. */
  canLoad: boolean
}

/** A folder opened by a link, with its subfolders. */
export function LinkedFolder({ token, access, root, acts, canLoad }: LinkedFolderProps) {
  const t = useT()
  const navigation = useListPlace(options)
  const { page, size } = navigation.place
  const search = useLocation().search
  const parent = typeof search.folder === 'string' ? search.folder : null
  const query = useApiPage('GET /api/v4/fs/links/{token}/items', {
    params: { token },
    query: { access, parent, page, size },
  })
  const { data } = query
  const usedUpId = useId()
  const columns = useColumns({ token, acts, canLoad, usedUpId, items: data?.list ?? [] })
  return (
    <section className="panel" aria-busy={(!data && !query.isError) || query.isPlaceholderData || undefined}>
      {!canLoad && (
        <p id={usedUpId} className="visually-hidden">
          {t('filelink.usedUp')}
        </p>
      )}
      <Way token={token} root={root} path={data?.path ?? []} />
      {query.isError ? (
        <div className="panel-body">
          <LoadFailed onRetry={query.refetch} />
        </div>
      ) : !data ? (
        <DataTableSkeleton columns={columns} count={6} />
      ) : data.list.length === 0 ? (
        <EmptyState title={t('files.emptyTitle')}>{t('files.emptyForeign')}</EmptyState>
      ) : (
        <>
          <DataTable
            label={root.name}
            columns={columns}
            rows={data.list}
            rowKey={({ id }) => id}
            busy={query.isPlaceholderData}
          />
          <Pager
            page={page}
            size={size}
            count={data.list.length}
            hasMore={data.hasMore}
            busy={query.isPlaceholderData}
            total={data.total}
            onPage={(next) => navigation.go({ page: next })}
          />
        </>
      )}
    </section>
  )
}

interface WayProps {
  token: string
  root: LinkedItem
  path: readonly { id: string; name: string }[]
}

/** Breadcrumbs from the linked item to the current folder. */
function Way({ token, root, path }: WayProps) {
  const t = useT()
  const steps = path.filter(({ id }) => id !== root.id)
  if (steps.length === 0) return null
  return (
    <nav className="list-tools link-way" aria-label={t('shell.trail')}>
      <Link to={`/link/${token}`}>
        <bdi>{root.name}</bdi>
      </Link>
      {steps.map(({ id, name }) => (
        <span key={id} className="row">
          ›{' '}
          <Link to={`/link/${token}`} search={{ folder: id }}>
            <bdi>{name}</bdi>
          </Link>
        </span>
      ))}
    </nav>
  )
}

interface ColumnOptions extends Pick<LinkedFolderProps, 'token' | 'acts' | 'canLoad'> {
  items: readonly LinkedItem[]
  /** Of the text that says why nothing can be downloaded. */
  usedUpId: string
}

function useColumns({ token, acts, canLoad, usedUpId, items }: ColumnOptions): readonly Column<LinkedItem>[] {
  const t = useT()
  const { preview } = acts
  return [
    {
      name: 'name',
      label: t('words.name'),
      phone: 'main',
      cell: (item) => (
        <span className="files-name">
          <Thumbnail item={{ ...item, hasThumbnail: false }} size="64" />
          <span className="files-name-text">
            {item.type === 'collection' ? (
              <Link to={`/link/${token}`} search={{ folder: item.id }} className="data-link">
                <bdi>{item.name}</bdi>
              </Link>
            ) : item.hasPreview && preview ? (
              <button type="button" className="files-open" onClick={() => preview(item, items)}>
                <bdi>{item.name}</bdi>
              </button>
            ) : (
              <bdi className="medium">{item.name}</bdi>
            )}
            <span className="files-second files-phone">
              {item.type === 'collection' ? t('files.folder') : fileSize(item.size)}
            </span>
          </span>
        </span>
      ),
    },
    {
      name: 'size',
      label: t('files.size'),
      phone: 'hidden',
      align: 'end',
      width: '12%',
      cell: ({ type, size }) => (type === 'collection' ? <span className="text-3">–</span> : fileSize(size)),
    },
    {
      name: 'mtime',
      label: t('words.changed'),
      phone: 'hidden',
      align: 'end',
      width: '20%',
      cell: ({ mtime }) => <span className="text-3">{moment(mtime)}</span>,
    },
    {
      name: 'acts',
      label: t('words.actions'),
      phone: 'aside',
      align: 'end',
      width: '80px',
      cell: (item) => (
        <span className="files-above">
          <Button
            size="small"
            variant="quiet"
            icon={IconDownload}
            label={t('filelink.downloadOf', { name: item.name })}
            disabled={!canLoad}
            aria-describedby={canLoad ? undefined : usedUpId}
            onPress={() => acts.download([item.id])}
          />
        </span>
      ),
    },
  ]
}
