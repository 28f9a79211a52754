/** What this browser remembers from one meeting to the next; names as other clients of the product have them. */
const names = {
  microphone: 'kolab-meet-audio-source',
  camera: 'kolab-meet-video-source',
  uid: 'kolab-meet-uid',
  nickname: 'meet-nickname',
  blur: 'meet-blur',
  keys: 'meet-keys',
} as const

type Remembered = Exclude<keyof typeof names, 'uid'>

/** Absent: nothing was chosen yet. Browsers that keep nothing forget. */
export function remembered(what: Remembered): string | undefined {
  try {
    return localStorage.getItem(names[what]) ?? undefined
  } catch {
    return undefined
  }
}

export function remember(what: Remembered, value: string): void {
  try {
    localStorage.setItem(names[what], value)
  } catch {
    // a browser that keeps nothing asks again the next time
  }
}

/** By what a browser that knocks is known again: up to 24 digits, time and chance. */
export function requestId(): string {
  try {
    const known = localStorage.getItem(names.uid)
    if (known && /^\d{8,24}$/.test(known)) return known
  } catch {
    return freshId()
  }
  const id = freshId()
  try {
    localStorage.setItem(names.uid, id)
  } catch {
    // as above: this page knows it for as long as it is open
  }
  return id
}

function freshId(): string {
  const [high = 0, low = 0] = crypto.getRandomValues(new Uint32Array(2))
  return `${Date.now()}${String(high).padStart(10, '0')}${low}`.slice(0, 24)
}
