/** Update interval of the meter, in milliseconds; reference §1.14 has 25. */
const every = 50

/** Thresholds of the meter, out of 100: loud and too loud. */
export const loudFrom = 50
export const tooLoudFrom = 70

/**
 * Reports the level of a microphone, 0 to 100, until the returned function is called. The scale is
 * perceptual: each tenth sounds about as much louder as the previous one.
 */
export function watchLevel(track: MediaStreamTrack, onLevel: (level: number) => void): () => void {
  const context = new AudioContext()
  const source = context.createMediaStreamSource(new MediaStream([track]))
  const analyser = context.createAnalyser()
  analyser.fftSize = 1024
  source.connect(analyser)
  const samples = new Float32Array(analyser.fftSize)
  const timer = setInterval(() => {
    // Suspended before the first user gesture; some browsers allow resuming later.
    if (context.state === 'suspended') void context.resume().catch(() => undefined)
    analyser.getFloatTimeDomainData(samples)
    onLevel(levelOf(samples))
  }, every)
  return () => {
    clearInterval(timer)
    source.disconnect()
    void context.close().catch(() => undefined)
  }
}

/** Below this level (decibels below full scale) counts as silence. */
const quietest = -60

/** Returns the level of samples between -1 and 1, on a scale from 0 to 100. */
export function levelOf(samples: Float32Array): number {
  let sum = 0
  for (const sample of samples) sum += sample * sample
  const decibels = 10 * Math.log10(sum / Math.max(1, samples.length) + 1e-12)
  return Math.round(Math.min(100, Math.max(0, ((decibels - quietest) / -quietest) * 100)))
}
