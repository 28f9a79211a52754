import { afterEach, describe, expect, it, vi } from 'vitest'
import type { MediaEngines } from './media-engines.ts'
import { BrowserMeeting, browserPath, type Participant, type Received } from './testing/browser-meeting.ts'
import { useEngines } from './testing/engines.ts'

const engines = useEngines()
let meeting: BrowserMeeting | undefined

afterEach(async () => {
  await meeting?.close()
  meeting = undefined
})

/** Opens two pages that see and hear each other. */
async function meet(): Promise<{
  readonly running: MediaEngines
  readonly meeting: BrowserMeeting
  readonly ann: Participant
  readonly bob: Participant
}> {
  const running = await engines.start()
  meeting = await BrowserMeeting.open(running.rooms)
  const ann = await meeting.join()
  await ann.run(sendCameraAndMicrophone)
  const bob = await meeting.join()
  await bob.run(sendCameraAndMicrophone)
  return { running, meeting, ann, bob }
}

const sendCameraAndMicrophone = `devices(['mic', 'cam']).then((tracks) => meet.publish(tracks))`

const patience = { timeout: 30_000, interval: 100 }

/** Waits until a page gets more moving video and sound of another one than at the time of the call. */
async function untilSeenAndHeard(viewer: Participant, sender: Participant): Promise<void> {
  await untilFrames(viewer, sender, 'cam')
  await untilHeard(viewer, sender, 'mic')
}

async function untilFrames(viewer: Participant, sender: Participant, source: string): Promise<void> {
  const before = (await of(viewer, sender, source))?.frames ?? 0
  await vi.waitFor(
    async () => expect((await of(viewer, sender, source))?.frames).toBeGreaterThan(before + 5),
    patience,
  )
}

async function untilHeard(viewer: Participant, sender: Participant, source: string): Promise<void> {
  const before = (await of(viewer, sender, source))?.energy ?? 0
  await vi.waitFor(
    async () => expect((await of(viewer, sender, source))?.energy).toBeGreaterThan(before),
    patience,
  )
}

async function of(viewer: Participant, { id }: Participant, source: string): Promise<Received | undefined> {
  return (await viewer.received()).find((one) => one.peer === id && one.source === source)
}

describe.skipIf(browserPath === undefined)('two browsers', () => {
  it('see and hear each other, in any joining order', async () => {
    const { ann, bob } = await meet()
    await untilSeenAndHeard(ann, bob)
    await untilSeenAndHeard(bob, ann)
    expect(await ann.run('errors')).toEqual([])
    expect(await bob.run('errors')).toEqual([])
    expect(engines.warnings).toEqual([])
  }, 120_000)

  it('get higher layers for larger tiles, and no video for hidden ones', async () => {
    const { running, ann, bob } = await meet()
    const show = (width: number, height: number) =>
      bob.run(`meet.setView([{ peer: '${ann.id}', source: 'cam', width: ${width}, height: ${height} }])`)
    await show(640, 360)
    await vi.waitFor(async () => expect((await of(bob, ann, 'cam'))?.width).toBe(640), patience)
    await show(320, 180)
    await vi.waitFor(async () => expect((await of(bob, ann, 'cam'))?.width).toBe(320), patience)
    await show(640, 360)
    await vi.waitFor(async () => expect((await of(bob, ann, 'cam'))?.width).toBe(640), patience)

    await bob.run('meet.setView([])')
    await vi.waitFor(async () => expect((await of(bob, ann, 'cam'))?.layer).toBeNull(), patience)
    const cam = (await running.rooms.stats(bob.id))?.slots.find(({ source }) => source === 'cam')
    await untilHeard(bob, ann, 'mic')
    const later = (await running.rooms.stats(bob.id))?.slots.find(({ source }) => source === 'cam')
    expect(later).toMatchObject({ layer: null, packets: cam?.packets })

    await show(640, 360)
    await untilFrames(bob, ann, 'cam')
  }, 120_000)

  it('share a screen with sound beside the camera, stop and share again', async () => {
    const { ann, bob } = await meet()
    const share = `meet.publish(new Map([['screen', screenTrack()], ['screenaudio', screenSound()]]))`
    await ann.run(share)
    await untilFrames(bob, ann, 'screen')
    await untilHeard(bob, ann, 'screenaudio')
    await untilSeenAndHeard(bob, ann)

    await ann.run(`Promise.all([meet.unpublish('screen'), meet.unpublish('screenaudio')])`)
    await vi.waitFor(async () => expect(await of(bob, ann, 'screen')).toBeUndefined(), patience)
    await untilSeenAndHeard(bob, ann)

    await ann.run(share)
    await untilFrames(bob, ann, 'screen')
    await untilHeard(bob, ann, 'screenaudio')
  }, 120_000)

  it('mute and unmute', async () => {
    const { running, ann, bob } = await meet()
    await untilSeenAndHeard(bob, ann)
    await ann.run(`meet.mute('mic', true); meet.mute('cam', true)`)
    await vi.waitFor(async () => expect((await of(bob, ann, 'mic'))?.muted).toBe(true), patience)
    await vi.waitFor(async () => expect((await of(bob, ann, 'cam'))?.muted).toBe(true), patience)
    const silent = await running.rooms.stats(bob.id)
    await untilSeenAndHeard(ann, bob)
    expect((await running.rooms.stats(bob.id))?.slots.map(({ packets }) => packets)).toEqual(
      silent?.slots.map(({ packets }) => packets),
    )
    await ann.run(`meet.mute('mic', false); meet.mute('cam', false)`)
    await untilSeenAndHeard(bob, ann)
  }, 120_000)

  it('lose a source when its permission is revoked, and send it again once it is restored', async () => {
    const { running, ann, bob } = await meet()
    await untilSeenAndHeard(bob, ann)
    await running.rooms.setRights(ann.id, [])
    await vi.waitFor(async () => expect(await bob.received()).toEqual([]), patience)
    await vi.waitFor(async () => expect(await ann.run('withdrawn')).toEqual(['mic', 'cam']), patience)
    expect((await running.rooms.stats(ann.id))?.sources).toEqual([])

    await running.rooms.setRights(ann.id, ['mic', 'cam'])
    await ann.run(sendCameraAndMicrophone)
    await untilSeenAndHeard(bob, ann)
  }, 120_000)

  it('lose one of several sources and send it again over the same connections', async () => {
    const { running, ann, bob } = await meet()
    await untilSeenAndHeard(bob, ann)
    for (const left of ['cam', 'mic'] as const) {
      await running.rooms.setRights(ann.id, [left])
      const lost = left === 'cam' ? 'mic' : 'cam'
      await vi.waitFor(async () => expect(await of(bob, ann, lost)).toBeUndefined(), patience)
      await vi.waitFor(async () => expect(await ann.run('withdrawn')).toContain(lost), patience)
      await running.rooms.setRights(ann.id, ['mic', 'cam'])
      await ann.run(`devices(['${lost}']).then((tracks) => meet.publish(tracks))`)
      await untilSeenAndHeard(bob, ann)
    }
    expect(await ann.run('states')).toEqual(['connecting', 'connected'])
  }, 120_000)

  it("can't send without permission, and continue with their other sources", async () => {
    const { running, ann, bob } = await meet()
    await running.rooms.setRights(ann.id, ['mic', 'cam'])
    await untilSeenAndHeard(bob, ann)
    await expect(ann.run(`meet.publish(new Map([['screen', screenTrack()]]))`)).rejects.toThrow(/not-allowed/)
    await vi.waitFor(async () => expect(await ann.run('states')).toContain('reconnecting'), patience)
    await untilSeenAndHeard(bob, ann)
    expect(await of(bob, ann, 'screen')).toBeUndefined()
  }, 120_000)

  it('hear only those allowed by the portal', async () => {
    const { running, ann, bob } = await meet()
    await untilSeenAndHeard(bob, ann)
    await running.rooms.setReceive(bob.id, { audio: { except: [{ peer: ann.id, source: 'mic' }] } })
    await vi.waitFor(async () => expect(await of(bob, ann, 'mic')).toBeUndefined(), patience)
    await untilFrames(bob, ann, 'cam')
    await running.rooms.setReceive(bob.id, { audio: { only: [{ peer: ann.id, source: 'mic' }] } })
    await untilHeard(bob, ann, 'mic')
  }, 120_000)

  it('recover automatically within three seconds when their engine crashes', async () => {
    const { running, ann, bob } = await meet()
    await untilSeenAndHeard(bob, ann)
    await untilSeenAndHeard(ann, bob)
    const killed = performance.now()
    for (const pid of running.processes) process.kill(pid, 'SIGKILL')
    for (const [viewer, sender] of [
      [ann, bob],
      [bob, ann],
    ] as const) {
      await vi.waitFor(
        async () => {
          // new connections have new statistics
          expect(await viewer.run('states')).toContain('reconnecting')
          expect((await of(viewer, sender, 'cam'))?.frames).toBeGreaterThan(0)
        },
        { timeout: 30_000, interval: 20 },
      )
    }
    const back = performance.now() - killed
    expect(back).toBeLessThan(3000)
    await untilSeenAndHeard(bob, ann)
  }, 120_000)
})
