import { fork } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { permissionFlags } from './confined-child.ts'
import { EngineSupervisor } from './engine-supervisor.ts'

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

// before it runs, while it loads its modules, while it opens its port, and later
test.each([0, 30, 60, 300])('an engine ends with its parent, which dies after %i ms', async (time) => {
  const engine = startEngine(0)
  const gone = once(engine, 'exit')
  await setTimeout(time)
  engine.disconnect()
  await gone
})

test('an engine whose default port is taken uses another one without a warning', async () => {
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

const isRoot = process.getuid?.() === 0

test.runIf(process.platform === 'linux')(
  'an engine has no environment, limited memory, and no root',
  async () => {
    const supervisor = await new Promise<EngineSupervisor>((ready, failed) => {
      const starting = new EngineSupervisor({
        id: 'confined',
        engine: { udpPort: 0, orAnotherPort: true, bindAddress: '127.0.0.1', announced: [] },
        onEngine: () => ready(starting),
        warn: (text) => failed(new Error(text)),
      })
      onTestFinished(() => starting.stop())
      starting.start()
    })
    const about = (file: string) => readFile(`/proc/${supervisor.pid}/${file}`, 'utf8')
    const names = (await about('environ'))
      .split('\0')
      .map((entry) => entry.split('=')[0] ?? '')
      // variables of the shell that sets the limits
      .filter((name) => !['', 'PWD', 'OLDPWD', 'SHLVL', '_'].includes(name))
    expect(names.sort()).toEqual(['NODE_CHANNEL_FD', 'NODE_CHANNEL_SERIALIZATION_MODE'])
    expect(await about('limits')).toMatch(/^Max data size +2147483648 /m)
    expect(await about('limits')).toMatch(/^Max core file size +0 /m)
    expect((await about('cmdline')).split('\0')).toEqual(
      expect.arrayContaining(permissionFlags({ script, usesNetwork: true })),
    )
    const uid = isRoot ? 65_534 : process.getuid?.()
    expect(await about('status')).toMatch(new RegExp(`^Uid:\\s${uid}\\s${uid}\\s${uid}\\s${uid}$`, 'm'))
    if (isRoot) expect(await about('status')).toMatch(/^Groups:\s*$/m)
  },
)
