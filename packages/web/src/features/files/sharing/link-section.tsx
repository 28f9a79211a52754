import type { FileLink } from '@gatehouse/contract/files/file-shares'
import IconLinkPlus from '@tabler/icons-react/dist/esm/icons/IconLinkPlus.mjs'
import { useState } from 'react'
import { useT } from '../../../i18n/i18n.ts'
import { useApi } from '../../../platform/api/query.tsx'
import { Button } from '../../../ui/buttons/button.tsx'
import { LoadFailed } from '../../../ui/page/load-failed.tsx'
import { SkeletonRows } from '../../../ui/page/skeleton.tsx'
import type { ActedItem } from '../calls.ts'
import { EndLinkDialog } from './end-link-dialog.tsx'
import { LinkForm } from './link-form.tsx'
import { LinkRow } from './link-row.tsx'

/** The links to an item, with a button to create one. */
export function LinkSection({ item }: { item: ActedItem }) {
  const t = useT()
  const [edited, setEdited] = useState<FileLink | 'new'>()
  const [ended, setEnded] = useState<FileLink>()
  const { data, isError, refetch } = useApi('GET /api/v4/fs/{id}/links', { params: { id: item.id } })
  if (edited) {
    return (
      <LinkForm
        item={item}
        link={edited === 'new' ? undefined : edited}
        onClose={() => setEdited(undefined)}
      />
    )
  }
  return (
    <>
      <p className="text-2 small">{t('files.linksHint')}</p>
      {isError && <LoadFailed onRetry={refetch} />}
      {!data && !isError && <SkeletonRows count={1} />}
      {data && data.list.length > 0 && (
        <ul className="share-list" aria-label={t('files.links')}>
          {data.list.map((link) => (
            <LinkRow key={link.id} link={link} onEdit={() => setEdited(link)} onEnd={() => setEnded(link)} />
          ))}
        </ul>
      )}
      <p>
        <Button icon={IconLinkPlus} onPress={() => setEdited('new')}>
          {t('files.newLink')}
        </Button>
      </p>
      {ended && <EndLinkDialog item={item} link={ended} onClose={() => setEnded(undefined)} />}
    </>
  )
}
