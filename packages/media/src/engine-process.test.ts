import { fork } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'

const script = resolve(import.meta.dirname, '../dist/engine-process.js')

function startEngine(udpPort: number) {
  const options = { udpPort, orAnotherPort: true, bindAddress: '127.0.0.1', announced: [] }
  const engine = fork(script, [JSON.stringify(options)], { env: {}, execArgv: [], silent: true })
  onTestFinished(() => void engine.kill('SIGKILL'))
  return engine
}

async function all(stream: Readable | null): Promise<string> {
  return stream === null ? '' : text(stream)
}

// before it runs, while it reads its modules, while it opens its port, and later
test.each([0, 30, 60, 300])('an engine does not outlive who starts it and dies after %i ms', async (time) => {
  const engine = startEngine(0)
  const gone = once(engine, 'exit')
  await setTimeout(time)
  engine.disconnect()
  await gone
})

test('an engine whose usual port is taken has another one, and complains of nothing', async () => {
  const holder = createSocket('udp4')
  onTestFinished(() => void holder.close())
  await new Promise<void>((bound) => holder.bind(0, '127.0.0.1', bound))
  const { port } = holder.address()
  const engine = startEngine(port)
  const output = Promise.all([all(engine.stdout), all(engine.stderr)])
  const [message] = await once(engine, 'message')
  expect(message).toMatchObject({ ready: { udpPort: expect.any(Number) } })
  expect(message.ready.udpPort).not.toBe(port)
  engine.disconnect()
  expect(await output).toEqual(['', ''])
})
