import { useEffect, useRef, useState } from 'react'
import { useT } from '../../../i18n/i18n.ts'
import { loudFrom, tooLoudFrom, watchLevel } from './sound-level.ts'

const segments = Array.from({ length: 20 }, (_, index) => index)
/** From this level on, it is speech rather than background noise. */
const heardFrom = 25

/** Level meter of the microphone. Bypasses React, because twenty updates a second are too many for state. */
export function LevelMeter({ track }: { track: MediaStreamTrack | undefined }) {
  const t = useT()
  const bar = useRef<HTMLDivElement>(null)
  // The microphone that was heard; another one must be tested again.
  const [heard, setHeard] = useState<MediaStreamTrack>()
  useEffect(() => {
    if (!track) return
    const show = (level: number) => {
      const meter = bar.current
      if (!meter) return
      meter.setAttribute('aria-valuenow', String(level))
      for (const [index, segment] of [...meter.children].entries()) {
        segment.toggleAttribute('data-on', level > index * 5)
      }
      if (level >= heardFrom) setHeard(track)
    }
    const stop = watchLevel(track, show)
    const meter = bar.current
    return () => {
      stop()
      for (const segment of meter?.children ?? []) segment.removeAttribute('data-on')
    }
  }, [track])
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: the native meter cannot be divided */}
      <div
        ref={bar}
        className="meet-meter"
        role="meter"
        aria-label={t('meet.level')}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={0}
      >
        {segments.map((index) => (
          <i key={index} className={toneOf(index * 5)} />
        ))}
      </div>
      <span className="small text-3 nowrap">{t(wordOf(track, heard))}</span>
    </>
  )
}

function toneOf(level: number): string | undefined {
  if (level >= tooLoudFrom) return 'meet-too-loud'
  return level >= loudFrom ? 'meet-loud' : undefined
}

function wordOf(track: MediaStreamTrack | undefined, heard: MediaStreamTrack | undefined) {
  if (!track) return 'meet.microphoneOff'
  return track === heard ? 'meet.microphoneWorks' : 'meet.saySomething'
}
