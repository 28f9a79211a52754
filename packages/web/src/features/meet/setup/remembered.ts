/** Keys in local storage for values kept between meetings, shared with other clients of the product. */
const names = {
  microphone: 'kolab-meet-audio-source',
  camera: 'kolab-meet-video-source',
  uid: 'kolab-meet-uid',
  nickname: 'meet-nickname',
  blur: 'meet-blur',
  keys: 'meet-keys',
} as const

type Remembered = Exclude<keyof typeof names, 'uid'>

/** Returns a stored value; undefined if nothing was chosen or the browser stores nothing. */
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
    // if the browser stores nothing, users choose again next time
  }
}

/** Id that identifies a knocking browser: up to 24 digits from time and random numbers. */
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
    // as above: the id is kept while the page is open
  }
  return id
}

function freshId(): string {
  const [high = 0, low = 0] = crypto.getRandomValues(new Uint32Array(2))
  return `${Date.now()}${String(high).padStart(10, '0')}${low}`.slice(0, 24)
}
