import { afterEach, describe, expect, it, vi } from 'vitest'
import { BrowserMeeting, browserPath, type Participant, type Received } from './testing/browser-meeting.ts'
import { useEngines } from './testing/engines.ts'

const engines = useEngines()
let meeting: BrowserMeeting | undefined

afterEach(async () => {
  await meeting?.close()
  meeting = undefined
})

async function meet() {
  const running = await engines.start()
  meeting = await BrowserMeeting.open(running.rooms)
  return { running, meeting }
}

const sendCameraAndMicrophone = `devices(['mic', 'cam']).then((tracks) => meet.publish(tracks))`

/** Waits until a page has moving pictures and sound of another one. */
async function untilSeenAndHeard(viewer: Participant, sender: Participant): Promise<void> {
  const before = await viewer.received()
  await vi.waitFor(
    async () => {
      const now = await viewer.received()
      const cam = of(now, sender, 'cam')
      const mic = of(now, sender, 'mic')
      expect(cam?.frames ?? 0).toBeGreaterThan((of(before, sender, 'cam')?.frames ?? 0) + 10)
      expect(mic?.energy ?? 0).toBeGreaterThan(of(before, sender, 'mic')?.energy ?? 0)
    },
    { timeout: 15_000, interval: 100 },
  )
}

function of(received: readonly Received[], { id }: Participant, source: string): Received | undefined {
  return received.find((one) => one.peer === id && one.source === source)
}

describe.skipIf(browserPath === undefined)('two browsers', () => {
  it('see and hear each other, whoever comes first', async () => {
    const { meeting } = await meet()
    const first = await meeting.join()
    await first.run(sendCameraAndMicrophone)
    const second = await meeting.join()
    await second.run(sendCameraAndMicrophone)
    await untilSeenAndHeard(first, second)
    await untilSeenAndHeard(second, first)
    expect(await first.run('errors')).toEqual([])
    expect(engines.warnings).toEqual([])
  }, 60_000)
})
