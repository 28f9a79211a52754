/** Plays two short tones for a knock, one for a raised hand. Silent if the browser blocks audio. */
export function chime(kind: 'knock' | 'hand'): void {
  try {
    const context = new AudioContext()
    const notes = kind === 'knock' ? [660, 880] : [740]
    for (const [index, frequency] of notes.entries()) tone(context, frequency, index * 0.16)
    setTimeout(() => void context.close().catch(() => undefined), 1000)
  } catch {
    // a chime isn't worth an error
  }
}

function tone(context: AudioContext, frequency: number, after: number): void {
  const begin = context.currentTime + after
  const oscillator = context.createOscillator()
  const gain = context.createGain()
  oscillator.frequency.value = frequency
  gain.gain.setValueAtTime(0, begin)
  gain.gain.linearRampToValueAtTime(0.12, begin + 0.02)
  gain.gain.exponentialRampToValueAtTime(0.001, begin + 0.3)
  oscillator.connect(gain).connect(context.destination)
  oscillator.start(begin)
  oscillator.stop(begin + 0.32)
}
