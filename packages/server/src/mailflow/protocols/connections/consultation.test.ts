import { describe, expect, test } from 'vitest'
import { ManualTimers } from '../testing/manual-timers.ts'
import { Consultation, Load } from './consultation.ts'
import { HandlerStopped } from './protocol-errors.ts'

function setUp(most = 10) {
  const timers = new ManualTimers()
  const load = new Load(most)
  const closed = new AbortController()
  const consult = <T>(ask: (signal: AbortSignal) => Promise<T>) =>
    new Consultation({ timers, load, budget: 100, closed: closed.signal }, ask)
  return { timers, load, closed, consult }
}

const never = () => new Promise<never>(() => undefined)

describe('a consultation', () => {
  test('returns the answer of the handler', async () => {
    const { consult, load, timers } = setUp()
    const consultation = consult(async () => 7)
    consultation.resume()
    expect(await consultation.outcome).toEqual({ kind: 'answered', value: 7 })
    expect(timers.pending).toBe(0)
    await Promise.resolve()
    expect(load.running).toBe(0)
  })

  test('fails when the handler throws, also before its first promise', async () => {
    const { consult } = setUp()
    const error = new Error('no')
    expect(
      await consult(() => {
        throw error
      }).outcome,
    ).toEqual({ kind: 'failed', error })
    expect(await consult(() => Promise.reject(error)).outcome).toEqual({ kind: 'failed', error })
  })

  test('times out after its budget and aborts the signal, even if the handler ignores it', async () => {
    const { consult, timers, load } = setUp()
    let seen: AbortSignal | undefined
    const consultation = consult((signal) => {
      seen = signal
      return never()
    })
    consultation.resume()
    await Promise.resolve()
    timers.advance(99)
    expect(consultation.isSettled).toBe(false)
    timers.advance(1)
    expect(await consultation.outcome).toEqual({ kind: 'timed-out' })
    expect(seen?.reason).toBeInstanceOf(HandlerStopped)
    expect(consultation.used).toBe(100)
    // it still counts, because it still runs
    expect(load.running).toBe(1)
  })

  test('spends its budget only while somebody waits for it', async () => {
    const { consult, timers } = setUp()
    const consultation = consult(never)
    consultation.resume()
    timers.advance(60)
    consultation.pause()
    timers.advance(1000)
    consultation.resume()
    timers.advance(39)
    expect(consultation.isSettled).toBe(false)
    timers.advance(1)
    expect((await consultation.outcome).kind).toBe('timed-out')
  })

  test('is abandoned when the connection closes, before or after it began', async () => {
    const { consult, closed, load } = setUp()
    const consultation = consult(never)
    closed.abort()
    expect(await consultation.outcome).toEqual({ kind: 'abandoned' })
    expect(await consult(never).outcome).toEqual({ kind: 'abandoned' })
    expect(load.running).toBeLessThanOrEqual(1)
  })

  test('does not call the handler when it is stopped at once, or too many are running', async () => {
    const { consult, load } = setUp(1)
    let calls = 0
    const count = async () => {
      calls++
    }
    const stopped = consult(count)
    stopped.stop('too-large')
    expect(await stopped.outcome).toEqual({ kind: 'too-large' })
    await new Promise(setImmediate)
    expect(load.running).toBe(0)
    consult(never)
    expect(await consult(count).outcome).toEqual({ kind: 'overloaded' })
    expect(calls).toBe(0)
  })
})
