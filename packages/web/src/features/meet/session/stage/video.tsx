import { useEffect, useRef } from 'react'

export interface VideoProps {
  track: MediaStreamTrack | undefined
  /** Shown as in a mirror: oneself. */
  mirrored?: boolean
  /** All of it is shown, with bars: a shared screen. */
  whole?: boolean
  label: string
  onRatio?: (ratio: number) => void
  /** The first picture is there. */
  onPicture?: (track: MediaStreamTrack) => void
}

/** The picture of a track. Its sound is elsewhere, so it is always mute. */
export function Video({ track, mirrored = false, whole = false, label, onRatio, onPicture }: VideoProps) {
  const video = useRef<HTMLVideoElement>(null)
  useEffect(() => {
    const element = video.current
    if (!element) return
    element.srcObject = track ? new MediaStream([track]) : null
    return () => {
      element.srcObject = null
    }
  }, [track])
  const classes = ['stage-video', mirrored && 'stage-mirrored', whole && 'stage-whole']
  return (
    <video
      ref={video}
      className={classes.filter(Boolean).join(' ')}
      autoPlay
      playsInline
      muted
      aria-label={label}
      onLoadedData={() => track && onPicture?.(track)}
      onResize={({ currentTarget: { videoWidth, videoHeight } }) => {
        if (videoHeight > 0) onRatio?.(videoWidth / videoHeight)
      }}
    />
  )
}
