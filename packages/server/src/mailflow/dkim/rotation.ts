import { type DkimAlgorithm, dkimAlgorithms } from './key-pair.ts'

/**
 * `published`: its record should be in the DNS, it doesn't sign yet. `active`: it signs. `retiring`: it doesn't sign any
 * more, but mail that it signed is still under way. `retired`: its record may be removed.
 */
export type DkimKeyState = 'published' | 'active' | 'retiring' | 'retired'

export interface DkimKey {
  readonly selector: string
  readonly algorithm: DkimAlgorithm
  readonly state: DkimKeyState
  /** When it came into its state. */
  readonly since: Date
  /** Since when its record has been seen in the DNS without a break; null: it isn't there. */
  readonly visibleSince: Date | null
}

/** All in seconds. */
export interface RotationSettings {
  /** How long a key signs. */
  readonly keyLife: number
  /** How long answers of the DNS are kept, negative ones too. */
  readonly ttl: number
  /** How long servers try to deliver a message. */
  readonly retryTime: number
}

export type RotationStep =
  | { readonly kind: 'publish'; readonly algorithm: DkimAlgorithm }
  | { readonly kind: 'move'; readonly selector: string; readonly to: 'active' | 'retiring' | 'retired' }

/**
 * What has to be done with the keys of a domain now. A key signs once its record has been visible for the time that "no such
 * record" is kept. It replaces the one before at once, because it may have been requested before the end of that key's life.
 * The record of the replaced key stays until nobody can need it any more.
 */
export function planRotation(
  keys: readonly DkimKey[],
  now: Date,
  settings: RotationSettings,
  algorithms: readonly DkimAlgorithm[] = dkimAlgorithms,
): RotationStep[] {
  return dkimAlgorithms.flatMap((algorithm) => {
    const own = keys.filter((key) => key.algorithm === algorithm)
    return planAlgorithm(own, now, settings, algorithms.includes(algorithm) ? algorithm : undefined)
  })
}

/** `wanted`: the algorithm of a new key; undefined: the domain doesn't use it any more. */
function planAlgorithm(
  keys: readonly DkimKey[],
  now: Date,
  settings: RotationSettings,
  wanted: DkimAlgorithm | undefined,
): RotationStep[] {
  const age = (since: Date) => (now.getTime() - since.getTime()) / 1000
  const inState = (state: DkimKeyState) =>
    keys.filter((key) => key.state === state).toSorted((one, other) => age(one.since) - age(other.since))
  const move = (to: 'active' | 'retiring' | 'retired') => (key: DkimKey) =>
    ({ kind: 'move', selector: key.selector, to }) as const
  const isUnneeded = (key: DkimKey) => age(key.since) >= settings.ttl + settings.retryTime

  const removed = inState('retiring').filter(isUnneeded).map(move('retired'))
  const [active, ...doubled] = inState('active')
  if (wanted === undefined) {
    const unused = inState('published').map(move('retired'))
    return [...removed, ...unused, ...inState('active').map(move('retiring'))]
  }
  const ready = inState('published').find(
    ({ visibleSince }) => visibleSince !== null && age(visibleSince) >= settings.ttl,
  )
  const replaced =
    ready !== undefined ? [...inState('active').map(move('retiring')), move('active')(ready)] : []
  const isWanted = active === undefined || age(active.since) >= settings.keyLife - 2 * settings.ttl
  const published =
    isWanted && inState('published').length === 0 ? [{ kind: 'publish', algorithm: wanted } as const] : []
  return [...removed, ...(replaced.length > 0 ? replaced : doubled.map(move('retiring'))), ...published]
}

/** The keys that sign now. */
export function signingKeys<Key extends DkimKey>(keys: readonly Key[]): readonly Key[] {
  return dkimAlgorithms.flatMap((algorithm) => {
    const active = keys.filter((key) => key.algorithm === algorithm && key.state === 'active')
    return active.toSorted((one, other) => other.since.getTime() - one.since.getTime()).slice(0, 1)
  })
}

/** The keys whose records must be in the DNS. */
export function publishedKeys<Key extends DkimKey>(keys: readonly Key[]): readonly Key[] {
  return keys.filter(({ state }) => state !== 'retired')
}
