import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testedVersions } from '../../scripts/release/node-runtime.mjs'
import { startPortal } from '../../scripts/release/testing.ts'
import { release } from '../../scripts/release.mjs'

const programs = ['/usr/bin/buildah', '/usr/bin/mmdebstrap']
const canBuild = process.getuid?.() === 0 && programs.every((program) => existsSync(program))

/** Time to download packages of Debian and to copy layers on a busy machine. */
const patience = 900_000
const slow = { timeout: 240_000 }

let folder = ''
let version = ''
/** The name of a container with the image. */
let container = ''

describe.skipIf(!canBuild)('the container image (needs root, buildah and mmdebstrap)', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-image-'))
    const output = join(folder, 'release')
    await makeBase()
    const made = await release({ output, node: testedVersions[0], debian: false })
    version = made.version
    const file = join(import.meta.dirname, '../container/Containerfile')
    const base = ['--build-arg', 'BASE=localhost/base']
    await buildah(
      'build',
      '--format',
      'docker',
      ...base,
      '--tag',
      'localhost/gatehouse',
      '--file',
      file,
      output,
    )
    container = await buildah('from', 'localhost/gatehouse')
  }, patience)

  afterAll(async () => {
    await buildah('rm', '--all')
    await rm(folder, { recursive: true, force: true })
  }, patience)

  test('runs as a user without a password and without a shell', slow, async () => {
    expect(await buildah('run', container, '--', 'id')).toBe(
      'uid=10001(gatehouse) gid=10001(gatehouse) groups=10001(gatehouse)',
    )
  })

  test('says which command, port, volume and health check it has', async () => {
    const { Docker } = JSON.parse(await buildah('inspect', container))
    expect(Docker.config).toMatchObject({
      User: '10001:10001',
      Cmd: ['gatehouse-portal'],
      ExposedPorts: { '8000/tcp': {} },
      Volumes: { '/var/lib/gatehouse': {} },
      Healthcheck: { Test: expect.arrayContaining(['CMD', 'node']) },
    })
  })

  test('contains no file that its user may change, except for its data', slow, async () => {
    const found = await buildah(
      ...['run', container, '--', 'find', '/usr', '/etc', '/bin', '/sbin', '/lib', '-xdev'],
      ...['-writable', '-not', '-type', 'l', '-print', '-quit'],
    )
    expect(found).toBe('')
  })

  test('runs the command line', slow, async () => {
    expect(await buildah('run', container, '--', 'gatehouse', '--version')).toBe(`gatehouse ${version}`)
  })

  test('starts a portal that people sign in to, and stops cleanly', slow, async () => {
    const program = join(folder, 'run-portal')
    const settings = ['PORT', 'HOST', 'NODE_ENV'].map((name) => `--env ${name}="$${name}"`).join(' ')
    const call = `buildah ${storage().join(' ')} run ${settings} ${container} -- gatehouse-portal`
    await writeFile(program, `#!/bin/sh\nexec ${call}\n`)
    await chmod(program, 0o755)
    const env = { ...environment(), HOST: '127.0.0.1', NODE_ENV: 'development' }
    await using portal = await startPortal(program, env)
    expect((await fetch(`${portal.url}/api/health/readiness`)).status).toBe(200)
    const signIn = await fetch(`${portal.url}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'owner@acme.test', password: 'simple123' }),
    })
    expect(signIn.status).toBe(200)
    // buildah doesn't pass signals on; without a process namespace, its log names the process
    await expect.poll(() => /"pid":\d+/.test(portal.output())).toBe(true)
    const [, pid] = /"pid":(\d+)/.exec(portal.output()) ?? []
    process.kill(Number(pid), 'SIGTERM')
    expect(await portal.ended).toBe(0)
  })
})

/** A base image with Debian's essential packages and the libraries of Node.js. */
async function makeBase(): Promise<void> {
  const archive = join(folder, 'base.tar')
  const packages = '--include=libatomic1,libstdc++6'
  await run('mmdebstrap', ['--variant=essential', packages, 'bookworm', archive])
  const base = await buildah('from', 'scratch')
  await buildah('add', base, archive, '/')
  await buildah('commit', base, 'localhost/base')
  await buildah('rm', base)
  await rm(archive)
}

/** Keeps images and containers in the test's folder. */
function storage(): string[] {
  return ['--root', join(folder, 'storage'), '--runroot', join(folder, 'run'), '--storage-driver', 'vfs']
}

async function buildah(...args: readonly string[]): Promise<string> {
  return (await run('buildah', [...storage(), ...args])).trim()
}

async function run(program: string, args: readonly string[]): Promise<string> {
  const options = { env: environment(), maxBuffer: 64 * 1024 * 1024 }
  return (await promisify(execFile)(program, args, options)).stdout
}

/** Confines containers to a folder, which works without a container engine. */
function environment(): Record<string, string> {
  return { PATH: process.env.PATH ?? '', HOME: folder, BUILDAH_ISOLATION: 'chroot' }
}
