import type { OpenUpload } from '@gatehouse/contract/files/file-uploads'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import { fileSize } from '../../../i18n/file-size.ts'
import { useT } from '../../../i18n/i18n.ts'
import { call } from '../../../platform/api/api.ts'
import { apiQuery } from '../../../platform/api/query.tsx'
import { useStore } from '../../../state/store.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { Note } from '../../../ui/page/note.tsx'
import { toasts } from '../../../ui/toasts/store.ts'
import { forgetFiles } from '../calls.ts'
import { claimedUploads } from './memory.ts'
import { uploadQueue } from './uploads.ts'

/** Uploads that were interrupted, here or in another browser; choosing the same file resumes them. */
export function Unfinished() {
  const t = useT()
  const uploads = useOpenUploads()
  if (uploads.length === 0) return null
  return (
    <div className="files-note">
      <Note title={t('files.unfinishedTitle', { count: uploads.length })}>
        {t('files.unfinishedText')}
        <ul className="files-unfinished">
          {uploads.map((upload) => (
            <UnfinishedRow key={upload.uploadId} upload={upload} />
          ))}
        </ul>
      </Note>
    </div>
  )
}

/** Uploads that aren't in progress in any tab of this browser. */
function useOpenUploads(): readonly OpenUpload[] {
  const own = useStore(uploadQueue().uploads)
  const { data } = useQuery({
    ...apiQuery('GET /api/v4/fs/uploads'),
    staleTime: 0,
  })
  const claimed = useQuery({
    queryKey: ['claimed-uploads', data?.list.map(({ uploadId }) => uploadId).join()],
    queryFn: claimedUploads,
    enabled: data !== undefined && data.list.length > 0,
    staleTime: 0,
  })
  if (!data || !claimed.data) return []
  // a queued upload may have been loaded before it was claimed
  const isOwn = ({ name, size }: OpenUpload) =>
    own.some((one) => one.state !== 'done' && one.name === name && one.file.size === size)
  return data.list.filter((upload) => !claimed.data.has(upload.uploadId) && !isOwn(upload))
}

function UnfinishedRow({ upload }: { upload: OpenUpload }) {
  const t = useT()
  const id = useId()
  const client = useQueryClient()
  const { uploadId, name, size, uploaded, parent, item } = upload
  const goOn = (file: File | undefined) => {
    if (!file) return
    if (file.size !== size) {
      toasts.error(t('files.otherFile', { name, size: fileSize(size) }))
      return
    }
    const place = { parent, path: [], ...(item && { item }) }
    uploadQueue().add([{ file, name, place, continues: uploadId }])
  }
  return (
    <li>
      <span className="files-unfinished-name">
        <bdi>{name}</bdi>{' '}
        <span className="text-3">
          {t('words.usedOfLimit', { used: fileSize(uploaded), limit: fileSize(size) })}
        </span>
      </span>
      <span className="row">
        <label className="button button-default button-small" htmlFor={id}>
          {t('files.chooseAgain')}
          <span className="visually-hidden"> {name}</span>
        </label>
        <input
          id={id}
          className="visually-hidden"
          type="file"
          onChange={(event) => {
            goOn(event.target.files?.[0])
            event.target.value = ''
          }}
        />
        <Button
          size="small"
          variant="quiet"
          onPress={async () => {
            await call('DELETE /api/v4/fs/uploads/{uploadId}', { params: { uploadId } })
            await forgetFiles(client)
          }}
        >
          {t('words.discard')}
          <span className="visually-hidden"> {name}</span>
        </Button>
      </span>
    </li>
  )
}
