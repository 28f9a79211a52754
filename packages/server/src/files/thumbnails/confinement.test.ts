import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { permissionFlags, startConfined } from '@gatehouse/media/confined-child'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PictureWorker } from './picture-worker.ts'

const nobody = '65534'
const isRoot = process.getuid?.() === 0
const isLinux = process.platform === 'linux'
const mebibyte = 1024 * 1024

const blank = (side: number) =>
  sharp({ create: { width: side, height: side, channels: 3, background: '#3a7' } })
const picture = (side: number) => blank(side).jpeg().toBuffer()
/** A small file that decodes only as a whole, to 147 MB. */
const swelling = () => blank(7000).png({ progressive: true }).toBuffer()

/** Returns a value from a file in the process's /proc folder. */
async function about(pid: number, file: string, name: string): Promise<string[]> {
  const text = await readFile(`/proc/${pid}/${file}`, 'utf8')
  const line = text.split('\n').find((one) => one.startsWith(name)) ?? ''
  return line.slice(name.length).trim().split(/\s+/)
}

describe.runIf(isLinux)('the image process', () => {
  const worker = new PictureWorker()
  let pid = 0
  beforeAll(async () => {
    expect(await worker.shrink(await picture(20), 10)).toBeDefined()
    pid = worker.pid ?? 0
  })
  afterAll(() => worker.close())

  test.runIf(isRoot)('of a server that runs as root runs as nobody (needs root)', async () => {
    expect(await about(pid, 'status', 'Uid:')).toEqual([nobody, nobody, nobody, nobody])
    expect(await about(pid, 'status', 'Gid:')).toEqual([nobody, nobody, nobody, nobody])
    expect(await about(pid, 'status', 'Groups:')).toEqual([''])
    expect(await about(pid, 'status', 'CapEff:')).toEqual(['0000000000000000'])
  })

  test("doesn't inherit the server's environment", async () => {
    const environment = (await readFile(`/proc/${pid}/environ`, 'utf8')).split('\0').filter(Boolean)
    const names = environment.map((entry) => entry.split('=')[0])
    // variables of the shell that sets the limits are harmless
    const expected = ['NODE_CHANNEL_FD', 'NODE_CHANNEL_SERIALIZATION_MODE', 'VIPS_DISC_THRESHOLD']
    const own = names.filter((name) => !['PWD', 'OLDPWD', 'SHLVL', '_'].includes(name ?? ''))
    expect(new Set(own)).toEqual(new Set(expected))
  })

  test('has limited memory and writes no core dump', async () => {
    const [, data = ''] = await about(pid, 'limits', 'Max data size')
    expect(Number(data)).toBe(1536 * mebibyte)
    expect((await about(pid, 'limits', 'Max core file size'))[1]).toBe('0')
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8')
    expect(command).toContain('--max-old-space-size=256')
  })
})

describe('an image that needs more memory than the process may use', () => {
  test('has no thumbnail, and the next image is processed', async () => {
    const worker = new PictureWorker(160)
    try {
      expect(await worker.shrink(await swelling(), 64)).toBeUndefined()
      expect(await worker.shrink(await picture(20), 10)).toBeDefined()
    } finally {
      worker.close()
    }
  })

  test('is processed within the default limit', async () => {
    const worker = new PictureWorker()
    try {
      expect(await worker.shrink(await swelling(), 64)).toBeDefined()
    } finally {
      worker.close()
    }
  })
})

describe('a compromised child process', () => {
  let folder = ''
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-confined-'))
    await mkdir(join(folder, 'data/secrets'), { recursive: true })
    await mkdir(join(folder, 'code'))
    // accessible to others, so that it isn't the folder permissions that deny access
    await chmod(folder, 0o755)
    await writeFile(join(folder, 'data/secrets/master'), 'secret', { mode: 0o600 })
    await writeFile(join(folder, 'data/readable'), 'for all', { mode: 0o644 })
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  /** Runs an action in a confined child that has dropped root. Returns the outcome. */
  async function attempt(what: string): Promise<string> {
    const script = join(folder, 'code/probe.mjs')
    await writeFile(
      script,
      `import { dropPrivileges } from '@gatehouse/media/drop-privileges'
import { readFileSync, writeFileSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
dropPrivileges()
let said
try { said = String(${what}) } catch (error) { said = error.code }
process.send(said)
process.on('disconnect', () => process.exit())`.replace('@gatehouse/media/drop-privileges', privileges),
    )
    const child = startConfined({
      script,
      heap: 64,
      memory: 512,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    const [said] = await Promise.race([once(child, 'message'), once(child, 'exit')])
    child.kill('SIGKILL')
    return String(said)
  }
  const privileges = new URL('../../../../media/src/drop-privileges.js', import.meta.url).pathname
  const hasModel = permissionFlags({ script: '/x/y.js' }).length > 0

  test.runIf(isRoot)('cannot read the secrets of a server that runs as root (needs root)', async () => {
    const said = await attempt(`readFileSync(${JSON.stringify(join(folder, 'data/secrets/master'))})`)
    expect(['EACCES', 'ERR_ACCESS_DENIED']).toContain(said)
  })

  test.runIf(hasModel).each([
    ['read a file that anybody may read', (at: string) => `readFileSync('${at}/data/readable')`],
    ['read the folder of processes', () => `readFileSync('/proc/self/environ')`],
    ['write a file', (at: string) => `writeFileSync('${at}/code/written', '')`],
    ['start a program', () => `spawnSync('/bin/true').status`],
  ])('cannot %s', async (_, what) => {
    expect(await attempt(what(folder))).toBe('ERR_ACCESS_DENIED')
  })

  test('can read its own code', async () => {
    expect(await attempt(`readFileSync('${folder}/code/probe.mjs').length > 0`)).toBe('true')
  })
})

describe('the Node permission model', () => {
  const of = (...flags: string[]) =>
    permissionFlags({ script: '/opt/app/dist/child.js', usesNetwork: true }, new Set(flags))

  test("is omitted if the runtime lacks it or can't load libraries under it", () => {
    expect(of()).toEqual([])
    expect(of('--experimental-permission')).toEqual([])
  })

  test("is enabled with this runtime's flag, and allows the network where that requires a flag", () => {
    expect(of('--experimental-permission', '--allow-addons')[0]).toBe('--experimental-permission')
    const newest = of('--permission', '--experimental-permission', '--allow-addons', '--allow-net')
    expect(newest).toEqual(expect.arrayContaining(['--permission', '--allow-addons', '--allow-net']))
    expect(newest).toContain('--allow-fs-read=/opt/app/dist/*')
    expect(newest.filter((flag) => flag.startsWith('--allow-fs-write'))).toEqual([])
  })
})
