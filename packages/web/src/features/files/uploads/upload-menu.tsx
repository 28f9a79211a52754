import IconFolderUp from '@tabler/icons-react/dist/esm/icons/IconFolderUp.mjs'
import IconUpload from '@tabler/icons-react/dist/esm/icons/IconUpload.mjs'
import { type RefObject, useRef } from 'react'
import { useT } from '../../../i18n/i18n.ts'
import { ActionMenu } from '../../../ui/buttons/action-menu.tsx'
import { readChosen } from './read-drop.ts'
import { useSend } from './use-dropped.ts'

/** Menu to upload files or a folder from this device. */
export function UploadMenu({ parent }: { parent: string | null }) {
  const t = useT()
  const send = useSend()
  const files = useRef<HTMLInputElement>(null)
  const folder = useRef<HTMLInputElement>(null)
  const take = (input: RefObject<HTMLInputElement | null>) => {
    const chosen = [...(input.current?.files ?? [])]
    // allow choosing the same file again
    if (input.current) input.current.value = ''
    if (chosen.length > 0) send(readChosen(chosen), parent)
  }
  return (
    <>
      <ActionMenu
        primary
        icon={IconUpload}
        label={t('files.upload')}
        actions={[
          { label: t('files.uploadFiles'), icon: IconUpload, onPress: () => files.current?.click() },
          { label: t('files.uploadFolder'), icon: IconFolderUp, onPress: () => folder.current?.click() },
        ]}
      />
      <input
        ref={files}
        type="file"
        multiple
        hidden
        aria-label={t('files.uploadFiles')}
        onChange={() => take(files)}
      />
      <input
        ref={folder}
        type="file"
        multiple
        hidden
        aria-label={t('files.uploadFolder')}
        onChange={() => take(folder)}
        {...{ webkitdirectory: '' }}
      />
    </>
  )
}
