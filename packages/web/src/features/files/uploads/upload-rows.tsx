import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import IconPlayerPause from '@tabler/icons-react/dist/esm/icons/IconPlayerPause.mjs'
import IconPlayerPlay from '@tabler/icons-react/dist/esm/icons/IconPlayerPlay.mjs'
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { fileSize } from '../../../i18n/file-size.ts'
import { number } from '../../../i18n/format.ts'
import { type Translate, useT } from '../../../i18n/i18n.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { faultText } from '../fault-text.ts'
import { shownName } from '../names.ts'
import type { Problem, Upload } from './upload.ts'
import type { UploadQueue } from './upload-queue.ts'

/** Maximum number of rows rendered. */
const most = 60

const order: Readonly<Record<Upload['state'], number>> = {
  failed: 0,
  conflict: 1,
  sending: 2,
  checking: 2,
  lost: 2,
  paused: 3,
  waiting: 4,
  done: 5,
}

/** All uploads, those that need attention first. */
export function UploadRows({ uploads, queue }: { uploads: readonly Upload[]; queue: UploadQueue }) {
  const t = useT()
  const sorted = [...uploads].sort((a, b) => order[a.state] - order[b.state])
  const rest = sorted.length - most
  return (
    <ul className="uploads-rows">
      {sorted.slice(0, most).map((upload) => (
        <UploadRow key={upload.id} upload={upload} queue={queue} />
      ))}
      {rest > 0 && (
        <li className="uploads-rest">{t('files.uploadsMore', { count: rest, number: number(rest) })}</li>
      )}
    </ul>
  )
}

function UploadRow({ upload, queue }: { upload: Upload; queue: UploadQueue }) {
  const t = useT()
  const { id, state, place, file, sent } = upload
  const name = shownName(upload.name)
  const share = file.size > 0 ? sent / file.size : 0
  const isRunning = state === 'sending' || state === 'lost' || state === 'waiting'
  return (
    <li data-state={state}>
      <span className="uploads-name">
        {place.path.length > 0 && <bdi className="text-3">{`${place.path.join(' › ')} › `}</bdi>}
        <bdi>{name}</bdi>
      </span>
      <span className="uploads-state">
        {state === 'done' && <Icon of={IconCheck} size="small" />}
        {stateText(t, upload)}
      </span>
      {(state === 'sending' || state === 'lost' || state === 'paused') && (
        <progress value={share} max={1} aria-label={name} />
      )}
      <span className="uploads-acts">
        {isRunning && (
          <RowButton
            icon={IconPlayerPause}
            label={t('files.pause', { name })}
            onPress={() => queue.pause(id)}
          />
        )}
        {state === 'paused' && (
          <RowButton
            icon={IconPlayerPlay}
            label={t('files.resume', { name })}
            onPress={() => queue.resume(id)}
          />
        )}
        {state === 'failed' && (
          <RowButton icon={IconRefresh} label={t('files.retry', { name })} onPress={() => queue.retry(id)} />
        )}
        {state !== 'done' && (
          <RowButton
            icon={IconX}
            label={t('files.cancelUpload', { name })}
            onPress={() => queue.cancel(id)}
          />
        )}
      </span>
    </li>
  )
}

function RowButton(props: { icon: typeof IconX; label: string; onPress: () => void }) {
  return <Button size="small" variant="quiet" {...props} />
}

function stateText(t: Translate, { state, sent, file, problem, isVerified }: Upload): string {
  const size = fileSize(file.size)
  switch (state) {
    case 'waiting':
      return t('files.stateWaiting', { size })
    case 'checking':
      return t('files.stateChecking')
    case 'lost':
      return t('files.stateLost')
    case 'paused':
      return t('files.statePaused', { sent: fileSize(sent), size })
    case 'conflict':
      return t('files.stateConflict')
    case 'failed':
      return problem ? problemText(t, problem) : t('error.unknown')
    case 'done':
      return t(isVerified ? 'files.stateVerified' : 'files.stateDone', { size })
    default:
      return t('words.usedOfLimit', { used: fileSize(sent), limit: size })
  }
}

/** Why an upload failed, and what the user can do. */
function problemText(t: Translate, problem: Problem): string {
  switch (problem.kind) {
    case 'refused':
      return problem.fields.includes('size') ? `${problem.text} ${t('files.fullHint')}` : problem.text
    case 'changed':
      return t('files.problemChanged')
    case 'unreadable':
      return t('files.problemUnreadable')
    default:
      return `${faultText(t, problem.fault)} ${t('files.problemName')}`
  }
}
