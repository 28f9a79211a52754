import { displayAddress } from '@gatehouse/contract/canonical-address'
import type { FileDetail } from '@gatehouse/contract/files/file-items'
import { type ReactNode, useEffect, useState } from 'react'
import { useT } from '../../../i18n/i18n.ts'
import { ApiError } from '../../../platform/api/api-error.ts'
import { useApiPage } from '../../../platform/api/query.tsx'
import { showErrorPage } from '../../../platform/error-page-store.ts'
import { useFocusWhenReady } from '../../../platform/navigation/screen-focus.ts'
import { hasPermission, useUser } from '../../../platform/session/auth.ts'
import { useNavigate } from '../../../router/router-context.tsx'
import { useListPlace } from '../../../ui/data-table/list-place.ts'
import { PageHead, type TrailStep } from '../../../ui/page/page-head.tsx'
import { itemPath } from '../calls.ts'
import { FilesNav, type FilesPlace } from '../files-nav.tsx'
import { PreviewSlot } from '../preview/preview-slot.tsx'
import { QuotaMeter, QuotaNote } from '../quota.tsx'
import { Unfinished } from '../uploads/unfinished.tsx'
import { UploadBar } from '../uploads/upload-bar.tsx'
import { canMoveInto, useActs } from './acts.ts'
import { useDropTarget } from './dragging.ts'
import { DropPage } from './drop-page.tsx'
import { FileList } from './file-list.tsx'
import { FolderActions } from './folder-actions.tsx'
import { type FolderPlace, folderOptions, folderQuery } from './folder-place.ts'
import { useItemDialogs } from './item-dialogs.tsx'

export interface FolderScreenProps {
  /** A folder, or its share; null: the root. */
  parent: string | null
}

/** The contents of a folder with all actions. */
export function FolderScreen({ parent }: FolderScreenProps) {
  const t = useT()
  const navigation = useListPlace(folderOptions)
  const query = useApiPage('GET /api/v4/fs', { query: folderQuery(parent, navigation.place) })
  const folder = query.data?.collection ?? undefined
  const refused = useRefusal(query.error)
  const navigate = useNavigate()
  const dialogs = useItemDialogs({
    folder: parent === null ? null : folder?.id,
    root: rootOf(folder),
    onGone: (items) => {
      if (!folder || !items.some(({ id }) => id === folder.id)) return undefined
      const above = folder.path.at(-1)
      return navigate({ to: above ? itemPath({ id: above.id, type: 'collection' }) : '/files' })
    },
  })
  useFocusWhenReady(query.data !== undefined)
  const canAdd = useMayAdd(parent, folder)
  if (refused) return null
  const isEmpty = query.data?.list.length === 0 && isWhole(navigation.place)
  const current = placeOf(parent, folder)
  const isOwn = current === 'own'
  const at = parent === null ? null : (folder?.id ?? parent)
  return (
    <>
      <FolderHead
        folder={folder}
        parent={parent}
        total={query.data?.total}
        // an empty list has the buttons in the middle
        actions={<FolderActions folder={folder} parent={at} canAdd={canAdd && !isEmpty} ask={dialogs.ask} />}
      />
      {hasPermission('files') && <FilesNav current={current} />}
      {hasPermission('files') && isOwn && <QuotaNote />}
      {hasPermission('files') && <Unfinished />}
      <DropPage name={folder?.name ?? t('words.files')} parent={at} enabled={canAdd}>
        <FileList
          query={query}
          navigation={navigation}
          parent={at}
          canAdd={canAdd}
          ask={dialogs.ask}
          scope={String(parent)}
        />
      </DropPage>
      <UploadBar />
      <PreviewSlot items={query.data?.list} />
      {dialogs.dialog}
    </>
  )
}

/** Returns which area a folder belongs to, according to the response. */
function placeOf(parent: string | null, folder: FileDetail | undefined): FilesPlace | undefined {
  if (parent === null || folder?.isOwner) return 'own'
  return folder && 'shared'
}

/** Whether the list is unfiltered. */
function isWhole({ page, search, filters }: FolderPlace): boolean {
  return page === 1 && search === '' && filters.type === undefined
}

/** Whether to show an error page, as for any page the user may not see. */
function useRefusal(error: unknown): boolean {
  const refused = error instanceof ApiError && [403, 404, 422].includes(error.status)
  useEffect(() => {
    if (refused) showErrorPage(error.status === 422 ? new ApiError('', { status: 404 }) : error)
  }, [refused, error])
  return refused
}

/** Nothing can be added until the account has been paid for. */
function useMayAdd(parent: string | null, folder: FileDetail | undefined): boolean {
  const user = useUser()
  if (user?.isDegraded || user?.isAccountDegraded) return false
  return parent === null ? hasPermission('files') : (folder?.canUpdate ?? false)
}

/** Root of the folder tree: the shared folder if it belongs to someone else. */
function rootOf(folder: FileDetail | undefined): { id: string; name: string } | undefined {
  return folder && !folder.isOwner ? (folder.path[0] ?? folder) : undefined
}

interface FolderHeadProps extends FolderScreenProps {
  folder: FileDetail | undefined
  total: number | undefined
  actions: ReactNode
}

function FolderHead({ folder, parent, total, actions }: FolderHeadProps) {
  const t = useT()
  const trail = useTrail(parent, folder)
  const count = total === undefined ? '\u00a0' : t('files.count', { count: total })
  const owner =
    folder?.owner && t('files.ownedBy', { name: folder.owner.name || displayAddress(folder.owner.email) })
  return (
    <PageHead
      title={folder?.name ?? t('words.files')}
      trail={trail}
      facts={
        <span className="files-facts">
          <span>{[count, owner].filter(Boolean).join(' · ')}</span>
          {hasPermission('files') && (parent === null || folder?.isOwner) && <QuotaMeter />}
        </span>
      }
      actions={actions}
    />
  )
}

/** Breadcrumbs; list items can be dropped on them. */
function useTrail(parent: string | null, folder: FileDetail | undefined): TrailStep[] {
  const t = useT()
  const { move } = useActs()
  const [target, setTarget] = useState<string | null>(null)
  const drop = useDropTarget({
    canTake: (items) => (folder?.isOwner ?? false) && canMoveInto(items, target),
    onItems: (items) => void move(items, target, folder?.id).catch(() => undefined),
  })
  if (parent === null || !folder) return []
  const dropOn = (id: string | null): TrailStep['drop'] => ({
    ...drop.props,
    onDragOver: (event) => {
      if (target !== id) setTarget(id)
      drop.props.onDragOver(event)
    },
  })
  const first: TrailStep = folder.isOwner
    ? { label: t('words.files'), to: '/files', drop: dropOn(null) }
    : { label: t('files.shared'), to: '/files/shared' }
  const steps = folder.path.map(({ id, name }) => ({
    label: name,
    to: itemPath({ id, type: 'collection' }),
    drop: dropOn(id),
  }))
  return folder.isOwner || hasPermission('files') ? [first, ...steps] : steps
}
