import type { LinkedItem } from '@gatehouse/contract/files/file-shares'
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { fileSize } from '../../../i18n/file-size.ts'
import { moment, number } from '../../../i18n/format.ts'
import { useT } from '../../../i18n/i18n.ts'
import { call } from '../../../platform/api/api.ts'
import { ApiError } from '../../../platform/api/api-error.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { PageHead } from '../../../ui/page/page-head.tsx'
import { saveUrl } from '../../../ui/save-url.ts'
import { ownUrl } from '../calls.ts'
import type { Opened } from './link-page.tsx'
import { LinkedFile } from './linked-file.tsx'
import { LinkedFolder } from './linked-folder.tsx'

const Preview = lazy(() =>
  import('../preview/preview-dialog.tsx').then((m) => ({ default: m.PreviewDialog })),
)

export interface OpenedLinkProps {
  token: string
  opened: Opened
  /** Called when the link can no longer be opened. */
  onClosed: () => void
}

/** What visitors of a link may do. */
export interface LinkActs {
  /** Items inside the linked item; undefined: the linked item itself. */
  download: (ids?: readonly string[]) => Promise<void>
  /** Undefined: no preview, because downloads are limited. */
  preview: ((item: LinkedItem, among: readonly LinkedItem[]) => void) | undefined
}

/** A file or folder opened by a link: what it is, from whom, until when, and how to get it. */
export function OpenedLink({ token, opened, onClosed }: OpenedLinkProps) {
  const t = useT()
  const { item, owner, access } = opened
  const [left, setLeft] = useState(opened.downloads_left)
  const [shown, setShown] = useState<{ id: string; among: readonly LinkedItem[] }>()
  const download = async (ids?: readonly string[]) => {
    try {
      const body = { access, ids: ids && [...ids] }
      const { downloadUrl } = await call('POST /api/v4/fs/links/{token}/download', {
        params: { token },
        body,
      })
      saveUrl(downloadUrl)
      setLeft((count) => count && count - 1)
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) onClosed()
      throw error
    }
  }
  const acts: LinkActs = {
    download,
    preview: opened.downloads_left === null ? ({ id }, among) => setShown({ id, among }) : undefined,
  }
  const isFolder = item.type === 'collection'
  return (
    <>
      <PageHead
        title={item.name}
        facts={[
          isFolder ? t('files.folder') : fileSize(item.size),
          t('filelink.from', { name: owner.name }),
          opened.expires_at && t('files.endsAt', { time: moment(opened.expires_at) }),
          left !== null && t('filelink.left', { count: left, number: number(left) }),
        ]
          .filter(Boolean)
          .join(' · ')}
        actions={
          <Button
            variant="primary"
            icon={IconDownload}
            reason={left === 0 ? t('filelink.usedUp') : undefined}
            onPress={() => download()}
          >
            {t(isFolder ? 'filelink.downloadAll' : 'words.download')}
          </Button>
        }
      />
      {isFolder ? (
        <LinkedFolder token={token} access={access} root={item} acts={acts} canLoad={left !== 0} />
      ) : (
        <LinkedFile item={item} acts={acts} />
      )}
      {shown && (
        <LinkPreview
          token={token}
          access={access}
          id={shown.id}
          among={shown.among}
          onTurn={(id) => setShown({ ...shown, id })}
          onDownload={(id) => download(id === item.id ? undefined : [id])}
          onClose={() => setShown(undefined)}
        />
      )}
    </>
  )
}

interface LinkPreviewProps {
  token: string
  access: string
  id: string
  among: readonly LinkedItem[]
  onTurn: (id: string) => void
  onDownload: (id: string) => Promise<void>
  onClose: () => void
}

function LinkPreview({ token, access, id, among, onTurn, onDownload, onClose }: LinkPreviewProps) {
  const item = among.find((one) => one.id === id)
  const query = useQuery({
    queryKey: ['link-preview', token, id],
    queryFn: ({ signal }) =>
      call('POST /api/v4/fs/links/{token}/download', {
        params: { token },
        body: { access, ids: [id], preview: true },
        signal,
        ignoreErrors: true,
      }),
    // the URL in it is valid for an hour
    staleTime: 30 * 60_000,
    retry: false,
  })
  return (
    <Suspense>
      <Preview
        item={item && { ...item, url: query.data && ownUrl(query.data.downloadUrl) }}
        items={among}
        isLoading={query.isPending}
        isError={query.isError}
        onRetry={query.refetch}
        onTurn={onTurn}
        onDownload={() => onDownload(id)}
        onClose={onClose}
      />
    </Suspense>
  )
}
