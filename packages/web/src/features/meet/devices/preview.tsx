import IconMicrophone from '@tabler/icons-react/dist/esm/icons/IconMicrophone.mjs'
import IconMicrophoneOff from '@tabler/icons-react/dist/esm/icons/IconMicrophoneOff.mjs'
import IconUser from '@tabler/icons-react/dist/esm/icons/IconUser.mjs'
import { type RefObject, useEffect, useRef } from 'react'
import { useT } from '../../../i18n/i18n.ts'
import { useStore } from '../../../state/store.ts'
import { Icon } from '../../../ui/icon.tsx'
import { LevelMeter } from './level-meter.tsx'
import type { LocalMedia } from './local-media.ts'

/** Mirrored camera preview with the level of the microphone. */
export function Preview({
  local,
  videoRef,
}: {
  local: LocalMedia
  videoRef?: RefObject<HTMLVideoElement | null>
}) {
  const t = useT()
  const own = useRef<HTMLVideoElement>(null)
  const video = videoRef ?? own
  const { camera, microphone } = useStore(local.state)
  const { track } = camera
  useEffect(() => {
    const element = video.current
    if (!element) return
    element.srcObject = track ? new MediaStream([track]) : null
  }, [track, video])
  return (
    <div className="stack stack-tight">
      <div className="meet-preview">
        <video ref={video} autoPlay playsInline muted hidden={!track} aria-label={t('words.preview')} />
        {!track && (
          <span className="meet-nobody">
            <Icon of={IconUser} />
            {t(camera.isOpening ? 'meet.cameraOpening' : 'meet.cameraOff')}
          </span>
        )}
        {track && <span className="meet-name">{t('words.preview')}</span>}
      </div>
      <div className="meet-level">
        <Icon of={microphone.track ? IconMicrophone : IconMicrophoneOff} size="small" />
        <LevelMeter track={microphone.track} />
      </div>
    </div>
  )
}
