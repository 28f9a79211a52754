/** Side length in pixels; reference §1.14. */
const side = 64

/** Returns the centre of the camera image as a small square PNG; undefined without an image. */
export function snapshot(video: HTMLVideoElement | null): string | undefined {
  if (!video?.videoWidth || !video.videoHeight) return undefined
  const size = Math.min(video.videoWidth, video.videoHeight)
  const canvas = document.createElement('canvas')
  canvas.width = Math.min(side, size)
  canvas.height = canvas.width
  const left = (video.videoWidth - size) / 2
  const top = (video.videoHeight - size) / 2
  const context = canvas.getContext('2d')
  if (!context) return undefined
  context.drawImage(video, left, top, size, size, 0, 0, canvas.width, canvas.height)
  return canvas.toDataURL('image/png')
}
