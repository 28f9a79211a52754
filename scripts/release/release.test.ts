import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { release } from '../release.mjs'
import { canPackDebian, packDebian } from './debian.mjs'
import { cachedRuntime, testedVersions } from './node-runtime.mjs'
import { output, plainEnvironment, type RunningPortal, startPortal, temporaryFolder } from './testing.ts'

/** Assembling and packing takes most of a minute on a busy machine. */
const slow = { timeout: 600_000 }

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let version: string
/** Where the archive was unpacked. */
let unpacked: string

beforeAll(async () => {
  folder = await temporaryFolder()
  const made = await release({ output: join(folder.path, 'made'), node: undefined, debian: false, level: 1 })
  version = made.version
  const [archive = ''] = made.files
  await output('tar', ['-xzf', join(folder.path, 'made', archive), '--directory', folder.path])
  unpacked = join(folder.path, `gatehouse-${version}`)
}, slow.timeout)
afterAll(() => folder[Symbol.asyncDispose]())

const root = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(unpacked, file), 'utf8')

/** Signs in as a user of the demo. Returns the status. */
async function signIn({ url }: RunningPortal): Promise<number> {
  const { status } = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'owner@acme.test', password: 'simple123' }),
  })
  return status
}

describe('an unpacked release', () => {
  test('starts a portal with pages and the API, and stops cleanly', slow, async () => {
    await using portal = await startPortal(join(unpacked, 'bin/gatehouse-portal'), {
      ...plainEnvironment(),
      DATA_DIR: join(folder.path, 'data'),
    })
    expect((await fetch(`${portal.url}/api/health/readiness`)).status).toBe(200)
    const page = await (await fetch(`${portal.url}/login`)).text()
    const [, script = ''] = /src="(\/assets\/[^"]+\.js)"/.exec(page) ?? []
    const asset = await fetch(`${portal.url}${script}`, { headers: { 'accept-encoding': 'br' } })
    expect([asset.status, asset.headers.get('content-encoding')]).toEqual([200, 'br'])
    expect(await signIn(portal)).toBe(200)
    expect(portal.output()).toContain(`"version":"${version}"`)
    expect(await portal.stop()).toBe(0)
  })

  describe.each(testedVersions)(
    'with Node %s (skipped without it: node scripts/install-node.mjs)',
    (node) => {
      const program = join(cachedRuntime(node), 'bin/node')

      test.skipIf(!existsSync(program))('starts without warnings and lets a user sign in', slow, async () => {
        await using portal = await startPortal(join(unpacked, 'bin/gatehouse-portal'), {
          ...plainEnvironment(),
          DATA_DIR: join(folder.path, 'data'),
          GATEHOUSE_NODE: program,
        })
        expect(await signIn(portal)).toBe(200)
        expect(await portal.stop()).toBe(0)
        expect(portal.output()).toContain(`"node":"v${node}"`)
        expect(portal.output()).not.toMatch(/out of support|warning/i)
      })
    },
  )

  test('has a command line that works from any folder', slow, async () => {
    const program = join(unpacked, 'bin/gatehouse')
    const options = { cwd: '/', env: plainEnvironment() }
    expect(await output(program, ['--version'], options)).toBe(`gatehouse ${version}\n`)
    expect(await output(program, ['help'], options)).toMatch(/^gatehouse <command>\n/)
  })

  test('reads settings from the file in GATEHOUSE_ENV_FILE', slow, async () => {
    const file = join(folder.path, 'portal.env')
    writeFileSync(file, 'APP_NAME=Example\n')
    const env = { ...plainEnvironment(), GATEHOUSE_ENV_FILE: file }
    expect(await output(join(unpacked, 'bin/gatehouse'), ['config:show'], { env })).toContain(
      'APP_NAME=Example',
    )
  })

  test('says in one line that Node.js is missing', () => {
    const env = { PATH: '/usr/bin:/bin', GATEHOUSE_NODE: 'no-such-node' }
    const { status, stderr } = spawnSync(join(unpacked, 'bin/gatehouse'), [], { env, encoding: 'utf8' })
    expect(status).toBe(1)
    expect(stderr).toBe('Node.js 20.19 or newer is required, but no-such-node was not found.\n')
  })

  test('contains no development tools, sources or tests', () => {
    const files = readdirSync(unpacked, { recursive: true, encoding: 'utf8' })
    const tools = ['esbuild', 'vite', 'typescript', 'vitest', '@biomejs/biome', 'oxlint', 'playwright-core']
    expect(tools.filter((name) => existsSync(join(unpacked, 'node_modules', name)))).toEqual([])
    const own = files.filter((file) => /^(?:packages|deploy)\/(?!.*node_modules)/.test(file))
    expect(own.filter((file) => /\.tsx?$|\.stamp\.json$/.test(file))).toEqual([])
  })

  test('lists the checksum of every file', async () => {
    const listed = read('SHA256SUMS').trim().split('\n')
    const files = readdirSync(unpacked, { recursive: true, withFileTypes: true }).filter((one) =>
      one.isFile(),
    )
    expect(listed.length).toBe(files.length - 1)
    await output('sha256sum', ['--check', '--quiet', '--strict', 'SHA256SUMS'], { cwd: unpacked })
    await output('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: join(folder.path, 'made') })
  })

  test('has a CycloneDX list with address, licence and checksum of each component', () => {
    const bom = JSON.parse(read('sbom.cdx.json'))
    expect([bom.bomFormat, bom.specVersion, bom.metadata.component.version]).toEqual([
      'CycloneDX',
      '1.6',
      version,
    ])
    const incomplete = bom.components.filter(
      (part: { purl?: string; licenses?: unknown[]; hashes?: { content: string }[] }) =>
        !part.purl?.startsWith('pkg:npm/') ||
        !part.licenses?.length ||
        !/^[0-9a-f]{40,}$/.test(String(part.hashes?.[0]?.content)),
    )
    expect(incomplete).toEqual([])
    const references = new Set(bom.components.map((part: { 'bom-ref': string }) => part['bom-ref']))
    expect(references.size).toBe(bom.components.length)
    const required = bom.dependencies.flatMap((one: { dependsOn: string[] }) => one.dependsOn)
    expect(required.filter((reference: string) => !references.has(reference))).toEqual([])
    expect(required).toEqual(expect.arrayContaining(['node_modules/fastify', 'node_modules/react']))
  })

  test('installs exactly the components that run on the server', () => {
    const bom = JSON.parse(read('sbom.cdx.json'))
    const components: { 'bom-ref': string; properties: { value: string }[] }[] = bom.components
    for (const part of components) {
      const isInstalled = existsSync(join(unpacked, part['bom-ref'], 'package.json'))
      expect([part['bom-ref'], isInstalled]).toEqual([
        part['bom-ref'],
        part.properties[0]?.value === 'runtime',
      ])
    }
  })

  test('has the licence of each component', () => {
    const notices = read('THIRD-PARTY-NOTICES.txt')
    const bom = JSON.parse(read('sbom.cdx.json'))
    const missing = bom.components.filter(
      ({ group, name, version: of }: { group?: string; name: string; version: string }) =>
        !notices.includes(`\n${group === undefined ? '' : `${group}/`}${name} ${of}\nLicence: `),
    )
    expect(missing).toEqual([])
    expect(notices).toContain('Apache License')
  })
})

const units = ['portal', 'gateway', 'media'].map((name) => `gatehouse-${name}.service`)
const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0

describe.skipIf(!hasSystemd)('the systemd units (skipped without systemd-analyze)', () => {
  test.each(units)('%s is valid and confined', slow, async (unit) => {
    const file = join(folder.path, unit)
    const text = readFileSync(join(unpacked, 'deploy/systemd', unit), 'utf8')
    writeFileSync(file, text.replaceAll('/usr/lib/gatehouse', unpacked))
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' })
    expect([status, stderr]).toEqual([0, ''])
    // exposure from 0 to 10; the option takes tenths
    await output('systemd-analyze', ['security', '--offline=true', '--threshold=15', file])
  })
})

describe.skipIf(!canPackDebian())('the Debian package (skipped without dpkg-deb)', () => {
  let tree: string

  beforeAll(async () => {
    const date = new Date('2026-11-27T12:00:00Z')
    // packed without compression, which takes most of the time
    const made = { root, folder: unpacked, output: folder.path, version, date, compression: 'none' }
    const file = packDebian(made)
    tree = join(folder.path, 'installed')
    await output('dpkg-deb', ['--raw-extract', file, tree])
  }, slow.timeout)

  test('contains the release, the command, the units and the settings', slow, async () => {
    const paths = [
      ...['usr/bin/gatehouse', 'usr/lib/gatehouse/bin/gatehouse-portal', 'usr/share/doc/gatehouse/copyright'],
      ...units.map((unit) => `lib/systemd/system/${unit}`),
    ]
    expect(paths.filter((path) => !existsSync(join(tree, path)))).toEqual([])
    const program = join(tree, 'usr/lib/gatehouse/bin/gatehouse')
    expect(await output(program, ['--version'], { env: plainEnvironment() })).toBe(`gatehouse ${version}\n`)
  })

  test('keeps changed settings, which may contain secrets, on upgrades', () => {
    const listed = readFileSync(join(tree, 'DEBIAN/conffiles'), 'utf8').trim().split('\n')
    expect(listed).toEqual(['portal', 'gateway', 'media'].map((name) => `/etc/gatehouse/${name}.env`))
    expect(listed.map((file) => statSync(join(tree, file)).mode & 0o777)).toEqual([0o640, 0o640, 0o640])
  })

  test('has control data and scripts that a shell can read', async () => {
    const control = readFileSync(join(tree, 'DEBIAN/control'), 'utf8')
    expect(control).toContain(`Package: gatehouse\nVersion: ${version}\nArchitecture: `)
    expect(control).not.toMatch(/@(?:version|architecture|size)@/)
    for (const script of ['DEBIAN/postinst', 'DEBIAN/prerm', 'DEBIAN/postrm', 'usr/bin/gatehouse']) {
      await output('sh', ['-n', join(tree, script)])
    }
  })

  test('refuses commands of users who may not read the settings', () => {
    const { status, stderr } = spawnSync('sh', [join(tree, 'usr/bin/gatehouse'), 'config:check'], {
      env: { PATH: '/usr/bin:/bin' },
      encoding: 'utf8',
    })
    expect([status, stderr]).toEqual([1, "Can't read /etc/gatehouse/portal.env. Run this command as root.\n"])
  })
})
