import { describe, expect, it } from 'vitest'
import { receives } from './receive-rule.ts'
import { type Contestant, select } from './selection.ts'
import { SpeakerRanking } from './speakers.ts'

/** Feeds half a second of sound at this level. */
function speak(ranking: SpeakerRanking, peer: string, level: number, from: number): void {
  for (let packet = 0; packet < 25; packet++) ranking.note(peer, level, from + packet * 20)
}

describe('active speakers', () => {
  it('are those who are heard, loudest first', () => {
    const ranking = new SpeakerRanking()
    speak(ranking, 'ann', 30, 0)
    speak(ranking, 'bob', 10, 0)
    speak(ranking, 'eve', 90, 0)
    expect(ranking.changed(500)?.map(({ peer }) => peer)).toEqual(['bob', 'ann'])
    expect(ranking.changed(600)).toBeUndefined()
  })

  it('include a peer for a moment after they stop, and are then empty', () => {
    const ranking = new SpeakerRanking()
    speak(ranking, 'ann', 20, 0)
    expect(ranking.changed(500)).toHaveLength(1)
    expect(ranking.changed(1500)).toBeUndefined()
    expect(ranking.changed(3000)).toEqual([])
  })

  it('ignore a short noise such as a cough', () => {
    const ranking = new SpeakerRanking()
    for (let packet = 0; packet < 50; packet++) ranking.note('ann', packet === 20 ? 0 : 110, packet * 20)
    expect(ranking.changed(1000)).toBeUndefined()
  })

  it('keep their order despite small level changes', () => {
    const ranking = new SpeakerRanking()
    speak(ranking, 'ann', 30, 0)
    speak(ranking, 'bob', 32, 0)
    const first = ranking.changed(500)?.map(({ peer }) => peer)
    speak(ranking, first?.[1] ?? '', 29, 500)
    speak(ranking, first?.[0] ?? '', 31, 500)
    expect(ranking.changed(1000)).toBeUndefined()
  })

  it('omit peers who have left', () => {
    const ranking = new SpeakerRanking()
    speak(ranking, 'ann', 20, 0)
    ranking.changed(500)
    ranking.remove('ann')
    expect(ranking.changed(600)).toEqual([])
  })
})

describe('the selection of media lines', () => {
  const one = (key: string, more: Partial<Contestant> = {}): Contestant => ({
    key,
    area: 1,
    heardAt: Number.NEGATIVE_INFINITY,
    bound: false,
    ...more,
  })

  it('selects all sources if there are enough lines', () => {
    expect([...select([one('a', { area: 0 }), one('b')], 2)]).toEqual(['a', 'b'])
  })

  it('prefers visible sources, then the most recently heard', () => {
    const all = [
      one('unseen', { area: 0, heardAt: 100_000 }),
      one('quiet'),
      one('spoke', { heardAt: 50_000 }),
    ]
    expect([...select(all, 2)]).toEqual(['spoke', 'quiet'])
  })

  it('keeps a line with its source unless another one is clearly ahead', () => {
    const holder = one('holder', { heardAt: 50_000, bound: true })
    expect([...select([one('new', { heardAt: 51_000 }), holder], 1)]).toEqual(['holder'])
    expect([...select([one('new', { heardAt: 54_000 }), holder], 1)]).toEqual(['new'])
  })
})

describe('the receive rule', () => {
  const mic = { peer: 'ann', source: 'mic' } as const
  it.each([
    [{}, true],
    [{ audio: { except: [mic] } }, false],
    [{ audio: { except: [{ peer: 'ann', source: 'screenaudio' as const }] } }, true],
    [{ audio: { only: [mic] } }, true],
    [{ audio: { only: [] } }, false],
    [{ video: { only: [] } }, true],
  ])('by %j is %s', (receive, expected) => {
    expect(receives(receive, mic)).toBe(expected)
  })
})
