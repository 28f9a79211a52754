import { useEffect, useRef } from 'react'

export interface VideoProps {
  track: MediaStreamTrack | undefined
  /** Mirrors the user's own video. */
  mirrored?: boolean
  /** Shows the whole frame with letterboxing, for shared screens. */
  whole?: boolean
  label: string
  onRatio?: (ratio: number) => void
  /** Called when the first frame is available. */
  onPicture?: (track: MediaStreamTrack) => void
}

/** Video of a track. Always muted, because audio is played elsewhere. */
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
