/** How often the meter moves, in milliseconds; reference §1.14 has 25. */
const every = 50

/** Marks of the meter, out of 100: what is loud, and what is too loud. */
export const loudFrom = 50
export const tooLoudFrom = 70

/**
 * Tells how loud a microphone is, 0 to 100, until the answer is called. The scale is that of ears: each tenth is about
 * as much louder as the one before.
 */
export function watchLevel(track: MediaStreamTrack, onLevel: (level: number) => void): () => void {
  const context = new AudioContext()
  const source = context.createMediaStreamSource(new MediaStream([track]))
  const analyser = context.createAnalyser()
  analyser.fftSize = 1024
  source.connect(analyser)
  const samples = new Float32Array(analyser.fftSize)
  const timer = setInterval(() => {
    // Suspended where nobody has touched the page yet; some browsers let it go on later.
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

/** Quieter than this (decibels below full scale) is silence. */
const quietest = -60

/** Loudness of samples between -1 and 1, on a scale from 0 to 100. */
export function levelOf(samples: Float32Array): number {
  let sum = 0
  for (const sample of samples) sum += sample * sample
  const decibels = 10 * Math.log10(sum / Math.max(1, samples.length) + 1e-12)
  return Math.round(Math.min(100, Math.max(0, ((decibels - quietest) / -quietest) * 100)))
}
