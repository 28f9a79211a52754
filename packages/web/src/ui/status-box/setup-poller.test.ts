import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { SetupPoller } from './setup-poller.ts'
import { type SetupAnswer, setupProgress } from './setup-process.ts'

type State = SetupAnswer['processState']

function answer(processState: State, open = 'user-imap-ready'): SetupAnswer {
  const isDone = processState === 'done'
  const steps = ['user-new', open, 'domain-new']
  return {
    process: steps.map((label) => ({ label, title: label, state: isDone || label === 'user-new' })),
    processState,
    isDone,
  }
}

interface Call {
  at: number
  refresh: boolean
  signal: AbortSignal
}

let calls: Call[]
let replies: (SetupAnswer | Error)[]
const onAnswer = vi.fn()
const onWaiting = vi.fn()
let poller: SetupPoller<SetupAnswer>

beforeEach(() => {
  vi.useFakeTimers({ now: 0 })
  vi.clearAllMocks()
  calls = []
  replies = []
  poller = new SetupPoller({
    load: async ({ refresh, signal }) => {
      calls.push({ at: Date.now() / 1000, refresh, signal })
      const reply = replies.shift() ?? answer('running')
      if (reply instanceof Error) throw reply
      return reply
    },
    onAnswer,
    onWaiting,
  })
})
afterEach(() => {
  poller.stop()
  vi.useRealTimers()
})

const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1000)
const times = () => calls.map(({ at }) => at)

test('polls after 5 s, then 6, 7, 8', async () => {
  poller.start(answer('running'))
  await seconds(26)
  expect(times()).toEqual([5, 11, 18, 26])
  expect(onAnswer).toHaveBeenCalledTimes(4)
})

test('waits at most a minute', async () => {
  poller.start(answer('running'))
  await seconds(3600)
  const gaps = times().map((at, index, all) => at - (all[index - 1] ?? 0))
  expect(Math.max(...gaps)).toBe(60)
})

test('stops when the setup is done', async () => {
  replies = [answer('done')]
  poller.start(answer('running'))
  await seconds(60)
  expect(times()).toEqual([5])
})

test("doesn't start for a setup that is done or has failed", async () => {
  poller.start(answer('done'))
  poller.start(answer('failed'))
  await seconds(60)
  expect(calls).toEqual([])
})

test('stops when the setup has failed', async () => {
  replies = [answer('running'), answer('failed')]
  poller.start(answer('running'))
  await seconds(60)
  expect(times()).toEqual([5, 11])
})

test('continues while waiting for the owner to confirm the domain', async () => {
  replies = [answer('failed', 'domain-confirmed'), answer('done')]
  poller.start(answer('failed', 'domain-confirmed'))
  await seconds(60)
  expect(times()).toEqual([5, 11])
})

test('continues after a lost response', async () => {
  replies = [new Error('lost'), new Error('lost')]
  poller.start(answer('running'))
  await seconds(18)
  expect(times()).toEqual([5, 11, 18])
  expect(onAnswer).toHaveBeenCalledTimes(1)
})

test('stop ends timers and calls, and ignores late responses', async () => {
  let resolve: (value: SetupAnswer) => void = () => {}
  const slow = new SetupPoller<SetupAnswer>({
    load: ({ refresh, signal }) => {
      calls.push({ at: Date.now() / 1000, refresh, signal })
      return new Promise((done) => {
        resolve = done
      })
    },
    onAnswer,
    onWaiting,
  })
  slow.start(answer('running'))
  await seconds(5)
  slow.stop()
  expect(calls[0]?.signal.aborted).toBe(true)
  resolve(answer('running'))
  await seconds(60)
  expect(calls).toHaveLength(1)
  expect(onAnswer).not.toHaveBeenCalled()
})

test('stops polling after a failed restart', async () => {
  replies = [answer('failed')]
  poller.start(answer('failed'))
  await poller.refresh()
  await seconds(60)
  expect(calls.map(({ refresh }) => refresh)).toEqual([true])
  expect(onWaiting).not.toHaveBeenCalled()
})

test('polls again after a successful restart', async () => {
  replies = [answer('running'), answer('done')]
  poller.start(answer('failed'))
  await poller.refresh()
  await seconds(60)
  expect(calls.map(({ refresh }) => refresh)).toEqual([true, false])
})

test('polls ten times, from 5 s on, before a queued restart may be repeated', async () => {
  replies = [answer('waiting'), ...Array.from({ length: 20 }, () => answer('failed'))]
  poller.start(answer('failed'))
  await seconds(3)
  await poller.refresh()
  expect(onWaiting).toHaveBeenLastCalledWith(true)
  await seconds(94)
  expect(calls).toHaveLength(10)
  expect(onWaiting).toHaveBeenLastCalledWith(true)
  await seconds(1)
  expect(times()).toEqual([3, 8, 14, 21, 29, 38, 48, 59, 71, 84, 98])
  expect(onWaiting).toHaveBeenLastCalledWith(false)
  await seconds(600)
  expect(calls).toHaveLength(11)
})

test('polls at once when the user returns, and starts again from 5 s', async () => {
  poller.start(answer('running'))
  await seconds(12)
  poller.now()
  await seconds(5)
  expect(times()).toEqual([5, 11, 12, 17])
})

test("returning doesn't poll a failed setup", async () => {
  poller.start(answer('failed'))
  poller.now()
  await seconds(60)
  expect(calls).toEqual([])
})

test('rounds percent down and shows the first unfinished step', () => {
  expect(setupProgress(answer('running'))).toMatchObject({
    percent: 33,
    current: { label: 'user-imap-ready' },
    needsOwner: false,
  })
  expect(setupProgress(answer('running', 'domain-confirmed')).needsOwner).toBe(true)
  expect(setupProgress(answer('done'))).toMatchObject({ percent: 100, current: undefined })
  expect(setupProgress({ process: [], processState: 'running', isDone: false }).percent).toBe(0)
})
