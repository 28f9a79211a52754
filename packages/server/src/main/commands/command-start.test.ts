import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../../../..')

interface Output {
  readonly bytes: number
  readonly entryPoint?: string
  readonly imports: readonly { readonly path: string; readonly kind: string; readonly external?: boolean }[]
}

let outputs: Readonly<Record<string, Output>>

beforeAll(() => {
  const script = `
    import { build } from 'esbuild'
    import { bundleOptions } from ${JSON.stringify(`file://${root}/scripts/build.mjs`)}
    const { metafile } = await build({
      ...(await bundleOptions()),
      entryPoints: ['packages/server/src/main/cli.ts', 'packages/server/src/main/server.ts'],
      outdir: 'dist', write: false, metafile: true,
    })
    process.stdout.write(JSON.stringify(metafile.outputs))`
  const args = ['--input-type=module', '--eval', script]
  outputs = JSON.parse(
    execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8', maxBuffer: 100_000_000 }),
  ) as typeof outputs // written by the script above
})

/** Returns what Node.js loads with a module before it runs: kB of our files, and packages. */
function loadedWith(source: string): { readonly kilobytes: number; readonly packages: readonly string[] } {
  const [start] = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint?.endsWith(source)) ?? []
  const files = new Set(start === undefined ? [] : [start])
  const packages = new Set<string>()
  for (const file of files) {
    for (const { path, kind, external } of outputs[file]?.imports ?? []) {
      if (kind === 'dynamic-import') continue
      if (external !== true) files.add(path)
      else if (!path.startsWith('node:')) packages.add(path)
    }
  }
  const bytes = [...files].reduce((sum, file) => sum + (outputs[file]?.bytes ?? 0), 0)
  return { kilobytes: Math.round(bytes / 1000), packages: [...packages].sort() }
}

test('--version, help and completion load neither packages nor the code of any room', () => {
  const { kilobytes, packages } = loadedWith('main/cli.ts')
  expect(packages).toEqual([])
  expect(kilobytes).toBeGreaterThan(30)
  expect(kilobytes).toBeLessThan(100)
})

test('a command loads only settings, the schema and the database driver before its own code', () => {
  const { kilobytes, packages } = loadedWith('main/commands/run-command.ts')
  expect(packages).toEqual(['pg', 'uuid'])
  expect(kilobytes).toBeLessThan(1800)
})

test('the code of a command is loaded without that of other rooms', () => {
  const { kilobytes, packages } = loadedWith('platform/jobs/job-commands.ts')
  expect(packages).toEqual([])
  expect(kilobytes).toBeLessThan(1200)
})
