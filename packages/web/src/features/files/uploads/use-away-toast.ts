import { useEffect } from 'react'
import { fileSize } from '../../../i18n/file-size.ts'
import { t } from '../../../i18n/i18n.ts'
import { navigation } from '../../../platform/navigation/navigation.ts'
import { type ToastHandle, toasts } from '../../../ui/toasts/store.ts'
import { summaryOf } from './upload.ts'
import type { UploadQueue } from './upload-queue.ts'

let mounted = 0
let shown: { toast: ToastHandle; end: () => void } | undefined

/** While another screen is shown, a toast shows the progress of uploads. */
export function useAwayToast(queue: UploadQueue): void {
  useEffect(() => {
    mounted += 1
    shown?.end()
    return () => {
      mounted -= 1
      // another files screen may follow
      setTimeout(() => {
        if (mounted === 0) begin(queue)
      })
    }
  }, [queue])
}

function begin(queue: UploadQueue): void {
  if (shown || summaryOf(queue.uploads.get()).active === 0) return
  const facts = () => {
    const { sent, total, share } = summaryOf(queue.uploads.get())
    return {
      message: t('words.usedOfLimit', { used: fileSize(sent), limit: fileSize(total) }),
      progress: share,
    }
  }
  const toast = toasts.show({
    type: 'custom',
    title: t('files.uploads'),
    timeout: 0,
    ...facts(),
    actions: [{ label: t('files.showUploads'), onPress: () => navigation().go('/files') }],
  })
  const unsubscribe = queue.uploads.subscribe(() => {
    if (summaryOf(queue.uploads.get()).active > 0) toast.update(facts())
    else shown?.end()
  })
  shown = {
    toast,
    end: () => {
      unsubscribe()
      toast.close()
      shown = undefined
    },
  }
}
