import { randomBytes } from 'node:crypto'
import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { activateLanguage } from '../../../i18n/i18n.ts'
import { ApiError } from '../../../platform/api/api-error.ts'
import { lost, MemoryServer, TestMemory } from './server.test-data.ts'
import type { Patience } from './transport/patience.ts'
import { hashOf } from './transport/sha256.ts'
import { summaryOf, type Upload } from './upload.ts'
import { UploadQueue } from './upload-queue.ts'

const megabyte = 2 ** 20
const root = { parent: null, path: [] }

/** Waits end at once, unless a test holds them. */
let isHeld = false
let waits: number[] = []
let wakes: (() => void)[] = []
const patience: Patience = {
  wait: (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      waits.push(milliseconds)
      signal.addEventListener('abort', () => reject(signal.reason))
      if (isHeld) wakes.push(resolve)
      else resolve()
    }),
  wake: () => {
    for (const wake of wakes.splice(0)) wake()
  },
}

let server: MemoryServer
let memory: TestMemory
let queue: UploadQueue
let arrived: Upload[]

function freshQueue(): UploadQueue {
  return new UploadQueue({ transport: server, memory, patience, hash: hashOf }, (upload) =>
    arrived.push(upload),
  )
}

beforeAll(async () => {
  await activateLanguage('en')
  // load the library up front, so that the tests don't wait for the disk
  await import('tus-js-client')
}, 60_000)

beforeEach(() => {
  isHeld = false
  waits = []
  wakes = []
  arrived = []
  server = new MemoryServer()
  memory = new TestMemory()
  queue = freshQueue()
})

function file(name: string, size: number, type = 'application/octet-stream'): File {
  return new File([randomBytes(size)], name, { type, lastModified: 1_700_000_000_000 })
}

/** A promise the test resolves. */
function createGate(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {}
  const promise = new Promise<void>((open) => {
    resolve = open
  })
  return { promise, resolve }
}

const states = () => queue.uploads.get().map(({ state }) => state)
const until = (check: () => void) => vi.waitFor(check, { timeout: 20_000, interval: 5 })
const settled = (...wanted: Upload['state'][]) => until(() => expect(states()).toEqual(wanted))
const only = () => queue.uploads.get()[0]
const stored = () => [...server.files.values()]

async function expectSame(sent: File, name = sent.name) {
  const found = stored().find((one) => one.name === name)
  expect(found?.bytes.equals(Buffer.from(await sent.arrayBuffer()))).toBe(true)
}

test('sends a small file in one request, a large one in chunks', async () => {
  const small = file('small.bin', 1000)
  const large = file('large.bin', 3.5 * megabyte)
  queue.add([
    { file: small, place: root },
    { file: large, place: root },
  ])
  await settled('done', 'done')
  await expectSame(small)
  await expectSame(large)
  expect(server.calls.filter((call) => call === 'chunk')).toHaveLength(4)
  expect(server.calls.filter((call) => call === 'whole')).toHaveLength(1)
  expect(arrived.map(({ name, isVerified }) => [name, isVerified])).toEqual(
    expect.arrayContaining([
      ['small.bin', true],
      ['large.bin', true],
    ]),
  )
  expect(memory.begun).toEqual([])
  expect(memory.claimed.size).toBe(0)
})

test('uploads an empty file', async () => {
  queue.add([{ file: file('empty', 0), place: root }])
  await settled('done')
  expect(stored()).toMatchObject([{ name: 'empty' }])
})

test('sends content that looks like an input type as content', async () => {
  const json = new File(['{"type":"collection"}'], 'a.json', { type: 'application/json' })
  queue.add([{ file: json, place: root }])
  await settled('done')
  expect(server.calls).not.toContain('whole')
  await expectSame(json)
})

test('sends at most three files at a time, and completes all of them', async () => {
  let running = 0
  let most = 0
  server.fault = async (call) => {
    if (call !== 'whole') return
    running += 1
    most = Math.max(most, running)
    await Promise.resolve()
    running -= 1
  }
  queue.add(Array.from({ length: 20 }, (_, n) => ({ file: file(`f${n}`, 10), place: root })))
  await settled(...Array.from({ length: 20 }, () => 'done' as const))
  expect(most).toBeLessThanOrEqual(3)
})

test("resumes an interrupted chunk at the server's offset", async () => {
  const sent = file('broken.bin', 2.5 * megabyte)
  server.breakAfter = 300_000
  queue.add([{ file: sent, place: root }])
  await settled('done')
  await expectSame(sent)
  expect(server.calls).toContain('progress')
  expect(waits).toEqual([1000])
})

test('backs off while offline and resumes when the network returns', async () => {
  const sent = file('patient.bin', 2 * megabyte)
  isHeld = true
  let isOffline = true
  server.fault = () => {
    if (isOffline) throw lost()
  }
  queue.add([{ file: sent, place: root }])
  for (const count of [1, 2, 3, 4]) {
    await until(() => expect(waits).toHaveLength(count))
    expect(states()).toEqual(['lost'])
    if (count === 4) isOffline = false
    queue.wake()
  }
  await settled('done')
  expect(waits).toEqual([1000, 2000, 4000, 8000])
  await expectSame(sent)
})

test.each(['begin', 'chunk', 'whole'] as const)(
  'a lost answer to %s does not send the file twice',
  async (call) => {
    const sent = file('once.bin', call === 'whole' ? 5000 : 1.5 * megabyte)
    server.fault = (name) => {
      if (name === call && server.files.size === 0 && server.calls.filter((one) => one === call).length === 1)
        server.loseAnswer = true
    }
    queue.add([{ file: sent, place: root }])
    await settled('done')
    expect(stored()).toHaveLength(1)
    expect(server.begun.size).toBe(0)
    await expectSame(sent)
  },
)

test('detects completion after losing the response to the last chunk', async () => {
  const sent = file('last.bin', 1.5 * megabyte)
  server.fault = (call) => {
    if (call === 'chunk' && server.calls.filter((one) => one === 'chunk').length === 2)
      server.loseAnswer = true
  }
  queue.add([{ file: sent, place: root }])
  await settled('done')
  expect(stored()).toHaveLength(1)
  await expectSame(sent)
})

test('pausing keeps what has arrived, and resuming sends the rest', async () => {
  const sent = file('pause.bin', 3 * megabyte)
  const gate = createGate()
  server.fault = (call) =>
    call === 'chunk' && server.calls.filter((one) => one === 'chunk').length === 2 ? gate.promise : undefined
  queue.add([{ file: sent, place: root }])
  await until(() => expect(server.calls.filter((one) => one === 'chunk')).toHaveLength(2))
  queue.pause(1)
  expect(states()).toEqual(['paused'])
  gate.resolve()
  server.fault = () => undefined
  await until(() => expect([...server.begun.values()][0]?.bytes.length).toBe(megabyte))
  expect(only()?.sent).toBe(megabyte)
  queue.resume(1)
  await settled('done')
  await expectSame(sent)
  expect(server.calls.filter((call) => call === 'begin')).toHaveLength(1)
})

test('pauses and resumes all uploads, and starts none in between', async () => {
  isHeld = true
  server.fault = () => {
    throw lost()
  }
  queue.add(Array.from({ length: 5 }, (_, n) => ({ file: file(`f${n}`, 10), place: root })))
  await until(() => expect(states().filter((state) => state === 'lost')).toHaveLength(3))
  queue.pauseAll()
  await settled('paused', 'paused', 'paused', 'paused', 'paused')
  server.fault = () => undefined
  queue.resumeAll()
  await settled('done', 'done', 'done', 'done', 'done')
})

test('cancelling removes the upload from the server and from memory', async () => {
  const gate = createGate()
  server.fault = (call) => (call === 'chunk' ? gate.promise : undefined)
  queue.add([{ file: file('never.bin', 2 * megabyte), place: root }])
  await until(() => expect(server.calls).toContain('chunk'))
  expect(memory.begun).toHaveLength(1)
  queue.cancel(1)
  gate.resolve()
  await until(() => expect(server.calls).toContain('discard'))
  await until(() => expect(memory.claimed.size).toBe(0))
  expect([queue.uploads.get(), memory.begun, server.begun.size, server.files.size]).toEqual([[], [], 0, 0])
})

test.each([
  ['replace', ['a.txt']],
  ['rename', ['a.txt', 'a.txt (2)']],
  ['skip', ['a.txt']],
] as const)('a name that is taken waits for a person, who decides to %s', async (decision, names) => {
  server.files.set('old', { name: 'a.txt', parent: null, bytes: Buffer.from('old') })
  const sent = file('a.txt', 500)
  queue.add([{ file: sent, place: root }])
  await settled('conflict')
  queue.settle([1], decision)
  await settled(...(decision === 'skip' ? [] : (['done'] as const)))
  expect(stored().map(({ name }) => name)).toEqual(names)
  expect(stored()[0]?.bytes.toString() === 'old').toBe(decision !== 'replace')
})

test('asks at once about a name that is taken during the upload', async () => {
  const sent = file('late.bin', 2.5 * megabyte)
  server.fault = (call) => {
    if (call === 'chunk')
      server.files.set('old', { name: 'late.bin', parent: null, bytes: Buffer.from('old') })
  }
  queue.add([{ file: sent, place: root }])
  await settled('conflict')
  expect(waits).toEqual([])
  queue.settle([1], 'rename')
  await settled('done')
  expect(stored().map(({ name }) => name)).toEqual(['late.bin', 'late.bin (2)'])
  // no leftovers of the upload under the old name
  expect([server.begun.size, memory.begun.length, memory.claimed.size]).toEqual([0, 0, 0])
})

test('shows why the server rejected an upload, and can retry it', async () => {
  server.fault = (call) => {
    if (call === 'whole') throw new ApiError('', { status: 422, errors: { size: ['There is no room.'] } })
  }
  queue.add([{ file: file('big', 10), place: root }])
  await settled('failed')
  expect(only()?.problem).toEqual({ kind: 'refused', text: 'There is no room.', fields: ['size'] })
  server.fault = () => undefined
  queue.retry(1)
  await settled('done')
})

test('gives up on a server that keeps failing', async () => {
  server.fault = () => {
    throw new ApiError('', { status: 503 })
  }
  queue.add([{ file: file('ill', 10), place: root }])
  await settled('failed')
  expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000])
})

test('detects corrupted content; retrying uploads the correct content as the next version', async () => {
  const sent = file('changed.bin', 1.5 * megabyte)
  server.corrupt = true
  queue.add([{ file: sent, place: root }])
  await settled('failed')
  expect(only()?.problem).toEqual({ kind: 'changed' })
  server.corrupt = false
  queue.retry(1)
  await settled('done')
  expect(stored()).toHaveLength(1)
  await expectSame(sent)
})

test("doesn't send an invalid name; retrying uses the closest valid one", async () => {
  queue.add([{ file: file('what*.txt', 10), place: root }])
  expect(only()?.problem).toEqual({ kind: 'name', fault: 'signs' })
  expect(server.calls).toEqual([])
  queue.retry(1)
  await settled('done')
  expect(stored().map(({ name }) => name)).toEqual(['what_.txt'])
})

test('tells an unreadable file from a lost network', async () => {
  const gone = file('gone.bin', 2 * megabyte)
  gone.slice = () => {
    const part = new Blob()
    part.arrayBuffer = () => Promise.reject(new DOMException('', 'NotReadableError'))
    return part
  }
  queue.add([{ file: gone, place: root }])
  await settled('failed')
  expect(only()?.problem).toEqual({ kind: 'unreadable' })
})

test('resumes the same file after a reload', async () => {
  const sent = file('again.bin', 3 * megabyte)
  server.breakAfter = 1000
  isHeld = true
  queue.add([{ file: sent, place: root }])
  await settled('lost')
  queue.leave()
  await until(() => expect(memory.claimed.size).toBe(0))
  isHeld = false
  queue = freshQueue()
  queue.add([{ file: sent, place: root }])
  await settled('done')
  expect(server.calls.filter((call) => call === 'begin')).toHaveLength(1)
  await expectSame(sent)
})

test("doesn't take over an upload of another tab", async () => {
  const sent = file('shared.bin', 2 * megabyte)
  memory.remember({
    uploadId: 'theirs',
    name: sent.name,
    size: sent.size,
    modified: sent.lastModified,
    parent: null,
  })
  memory.claimed.add('theirs')
  queue.add([{ file: sent, place: root }])
  await settled('done')
  expect(server.calls.filter((call) => call === 'begin')).toHaveLength(1)
  expect(memory.begun.map(({ uploadId }) => uploadId)).toEqual(['theirs'])
})

test('starts over if the server has discarded the upload', async () => {
  const sent = file('old.bin', 2 * megabyte)
  memory.remember({
    uploadId: 'expired',
    name: sent.name,
    size: sent.size,
    modified: sent.lastModified,
    parent: null,
  })
  queue.add([{ file: sent, place: root }])
  await settled('done')
  expect(memory.begun).toEqual([])
  await expectSame(sent)
})

test('creates a folder path before uploading into it', async () => {
  queue.add([{ file: file('deep', 10), place: { parent: 'top', path: ['a', 'b'] } }])
  await settled('done')
  expect(stored()).toMatchObject([{ parent: 'top/a/b' }])
  expect(arrived[0]?.folder).toBe('top/a/b')
})

test('sums up files and bytes', async () => {
  isHeld = true
  server.fault = (call) => {
    if (call === 'chunk') throw lost()
  }
  queue.add([
    { file: file('one', 1000), place: root },
    { file: file('two', 2 * megabyte), place: root },
    { file: file('bad*', 5), place: root },
  ])
  await settled('done', 'lost', 'failed')
  expect(summaryOf(queue.uploads.get())).toEqual({
    count: 3,
    done: 1,
    failed: 1,
    conflicts: 0,
    active: 1,
    paused: 0,
    isLost: true,
    sent: 1000,
    total: 1005 + 2 * megabyte,
    share: 1000 / (1005 + 2 * megabyte),
  })
  expect(summaryOf([]).share).toBe(0)
})
