import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs'
import IconChevronUp from '@tabler/icons-react/dist/esm/icons/IconChevronUp.mjs'
import IconPlayerPause from '@tabler/icons-react/dist/esm/icons/IconPlayerPause.mjs'
import IconPlayerPlay from '@tabler/icons-react/dist/esm/icons/IconPlayerPlay.mjs'
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { useState } from 'react'
import { fileSize } from '../../../i18n/file-size.ts'
import { number } from '../../../i18n/format.ts'
import { useT } from '../../../i18n/i18n.ts'
import { useStore } from '../../../state/store.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { ConflictDialog } from './conflict-dialog.tsx'
import { summaryOf, type UploadSummary } from './upload.ts'
import type { UploadQueue } from './upload-queue.ts'
import { UploadRows } from './upload-rows.tsx'
import { uploadQueue } from './uploads.ts'
import { useAwayToast } from './use-away-toast.ts'

/** Bar at the bottom of the page during uploads: overall progress, with details on demand. */
export function UploadBar() {
  const queue = uploadQueue()
  const uploads = useStore(queue.uploads)
  const [isOpen, setOpen] = useState<boolean>()
  const summary = summaryOf(uploads)
  useAwayToast(queue)
  if (uploads.length === 0) return null
  // failures are shown unless the user closed the list
  const shown = isOpen ?? (uploads.length <= 5 || summary.failed > 0)
  return (
    <>
      <Frame summary={summary} queue={queue} isOpen={shown} onToggle={() => setOpen(!shown)} />
      <ConflictDialog uploads={uploads} queue={queue} />
    </>
  )
}

interface FrameProps {
  summary: UploadSummary
  queue: UploadQueue
  isOpen: boolean
  onToggle: () => void
}

function Frame({ summary, queue, isOpen, onToggle }: FrameProps) {
  const t = useT()
  const uploads = useStore(queue.uploads)
  const headline = useHeadline(summary)
  const isOver = summary.active + summary.paused + summary.conflicts === 0
  return (
    <section className="uploads" aria-label={t('files.uploads')}>
      {isOpen && <UploadRows uploads={uploads} queue={queue} />}
      <div className="uploads-bar">
        <span className="uploads-text">
          <b>{headline}</b>
          <span className="uploads-facts">
            {t('words.usedOfLimit', { used: fileSize(summary.sent), limit: fileSize(summary.total) })}
          </span>
        </span>
        <Announce summary={summary} headline={headline} />
        {summary.failed > 0 && (
          <Button size="small" variant="quiet" icon={IconRefresh} onPress={() => queue.retryAll()}>
            {t('files.retryAll')}
          </Button>
        )}
        {summary.active > 0 ? (
          <Button size="small" variant="quiet" icon={IconPlayerPause} onPress={() => queue.pauseAll()}>
            {t('files.pauseAll')}
          </Button>
        ) : (
          summary.paused > 0 && (
            <Button size="small" variant="quiet" icon={IconPlayerPlay} onPress={() => queue.resumeAll()}>
              {t('words.resume')}
            </Button>
          )
        )}
        <Button
          size="small"
          variant="quiet"
          className="uploads-corner"
          icon={isOpen ? IconChevronDown : IconChevronUp}
          label={t(isOpen ? 'files.hideUploads' : 'files.showUploads')}
          aria-expanded={isOpen}
          onPress={onToggle}
        />
        <Button
          size="small"
          variant="quiet"
          className="uploads-corner"
          icon={IconX}
          label={t(isOver ? 'words.close' : 'files.cancelAll')}
          onPress={() => {
            queue.cancelAll()
            queue.clearDone()
          }}
        />
      </div>
      <progress className="uploads-progress" value={summary.share} max={1} aria-label={t('files.uploads')} />
    </section>
  )
}

function useHeadline(summary: UploadSummary): string {
  const t = useT()
  const { count, done, failed, active, paused, conflicts, isLost } = summary
  const values = { done: number(done), count, all: number(count) }
  if (isLost) return t('files.uploadLost')
  if (active > 0) return t('files.uploading', values)
  if (conflicts > 0) return t('files.uploadAsks', { count: conflicts })
  if (paused > 0) return t('files.uploadPaused', values)
  return failed > 0 ? t('files.uploadFailed', { count: failed }) : t('files.uploadDone', values)
}

/** Announces changes of state to screen readers, not every file and byte. */
function Announce({
  summary: { isLost, active, count },
  headline,
}: {
  summary: UploadSummary
  headline: string
}) {
  const t = useT()
  return (
    <span className="visually-hidden" role="status">
      {active > 0 && !isLost ? t('files.uploadBegun', { count }) : headline}
    </span>
  )
}
