import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { after, day, hour } from '../../platform/clock.ts'
import { type DkimKey, planRotation, publishedKeys, type RotationSettings, signingKeys } from './rotation.ts'
import { newSelector } from './selector.ts'

const settings: RotationSettings = { keyLife: 90 * day, ttl: day, retryTime: 5 * day }
const start = new Date('2026-01-01T00:00:00Z')
const key = (
  state: DkimKey['state'],
  sinceDays: number,
  visibleDays: number | null = sinceDays,
): DkimKey => ({
  selector: `${state}${sinceDays}`,
  algorithm: 'rsa',
  state,
  since: after(start, -sinceDays * day),
  visibleSince: visibleDays === null ? null : after(start, -visibleDays * day),
})
const plan = (...keys: readonly DkimKey[]) =>
  planRotation(keys, start, settings, ['rsa']).map((step) =>
    step.kind === 'publish' ? 'publish' : `${step.selector} ${step.to}`,
  )

describe('the plan of a rotation', () => {
  test.each([
    ['publishes the first key', [], ['publish']],
    ['waits until the record is visible', [key('published', 30, null)], []],
    ['waits until a missing record is forgotten everywhere', [key('published', 30, 0.5)], []],
    ['activates the first key', [key('published', 2)], ['published2 active']],
    ['leaves a young key alone', [key('active', 10)], []],
    ['publishes the next key in time', [key('active', 88)], ['publish']],
    ['publishes one at a time', [key('active', 89), key('published', 0.5)], []],
    ['keeps an old key while the next is not visible', [key('active', 300), key('published', 200, null)], []],
    [
      'replaces a key before the end of its life once another is visible',
      [key('active', 10), key('published', 2)],
      ['active10 retiring', 'published2 active'],
    ],
    [
      'replaces a key at the end of its life',
      [key('active', 90), key('published', 2)],
      ['active90 retiring', 'published2 active'],
    ],
    ['keeps the record while mail is under way', [key('active', 5), key('retiring', 5)], []],
    ['removes it afterwards', [key('active', 6), key('retiring', 6)], ['retiring6 retired']],
    ['lets only the newest of two keys sign', [key('active', 9), key('active', 3)], ['active9 retiring']],
    ['does nothing with times in the future', [key('active', -5), key('retiring', -4)], []],
    ['is silent about retired keys', [key('active', 5), key('retired', 500)], []],
  ] as const)('%s', (_, keys, steps) => {
    expect(plan(...keys)).toEqual(steps)
  })

  test('retires the keys of an algorithm that is not used any more', () => {
    const keys = [key('active', 5), key('published', 1)]
    expect(planRotation(keys, start, settings, [])).toEqual([
      { kind: 'move', selector: 'published1', to: 'retired' },
      { kind: 'move', selector: 'active5', to: 'retiring' },
    ])
  })
})

/** What a verifying server may meet: a signature of a key, so many seconds after it was made. */
function apply(keys: readonly DkimKey[], now: Date, publishes: boolean): DkimKey[] {
  const seen = keys.map((one) => ({ ...one, visibleSince: one.visibleSince ?? (publishes ? now : null) }))
  const changed = new Map(seen.map((one): [string, DkimKey] => [one.selector, one]))
  for (const step of planRotation(seen, now, settings)) {
    if (step.kind === 'publish') {
      const selector = newSelector(now, step.algorithm, new Set(changed.keys()))
      changed.set(selector, {
        selector,
        algorithm: step.algorithm,
        state: 'published',
        since: now,
        visibleSince: null,
      })
      continue
    }
    const moved = changed.get(step.selector)
    if (moved !== undefined) changed.set(step.selector, { ...moved, state: step.to, since: now })
  }
  return [...changed.values()]
}

test('over years of irregular runs, every message under way finds its key, and none is signed too early', () => {
  const run = fc.tuple(fc.integer({ min: 1, max: 240 }), fc.boolean())
  fc.assert(
    fc.property(fc.array(run, { minLength: 50, maxLength: 200 }), (runs) => {
      let [keys, now]: [DkimKey[], Date] = [[], start]
      const lastSigned = new Map<string, Date>()
      let hasSigned = false
      for (const [hours, publishes] of runs) {
        for (const { selector, visibleSince } of signingKeys(keys)) {
          lastSigned.set(selector, after(now, hours * hour))
          expect(visibleSince !== null && now.getTime() - visibleSince.getTime() >= settings.ttl * 1000).toBe(
            true,
          )
        }
        now = after(now, hours * hour)
        keys = apply(keys, now, publishes)
        const published = new Set(publishedKeys(keys).map(({ selector }) => selector))
        for (const [selector, last] of lastSigned) {
          const needed = after(last, settings.retryTime + settings.ttl)
          if (now < needed) expect(published.has(selector)).toBe(true)
        }
        // once a domain signs it never stops
        hasSigned ||= signingKeys(keys).length === 2
        if (hasSigned) expect(signingKeys(keys).length).toBe(2)
      }
    }),
    { numRuns: 25 },
  )
})
