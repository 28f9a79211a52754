// Builds what is stale: the server's bundle, the web application, and their compressed variants.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const ignored = new Set(['node_modules', 'dist', '.git'])

/** Packages of hundreds of small modules, which would take most of the time that a command needs to start. */
const bundled = new Set(['kysely', 'zod'])

/** Sources of each part of the product; changing any of them makes its build stale. */
const parts = {
  media: {
    sources: ['packages/media/src', 'packages/contract/src', 'package-lock.json', 'scripts/build.mjs'],
    output: 'packages/media/dist',
    build: buildMedia,
  },
  server: {
    sources: [
      'packages/server/src',
      'packages/media/src',
      'packages/contract/src',
      'package.json',
      'package-lock.json',
      'scripts/build.mjs',
    ],
    output: 'packages/server/dist',
    build: buildServer,
  },
  mail: {
    sources: ['deploy/mail', 'package-lock.json', 'scripts/build.mjs'],
    output: 'deploy/mail/dist',
    build: buildMail,
  },
  web: {
    sources: [
      'packages/web/src',
      'packages/web/vite',
      'packages/web/vite.config.ts',
      'packages/contract/src',
      'package-lock.json',
      'scripts/build.mjs',
    ],
    output: 'packages/web/dist',
    build: buildWeb,
  },
}

/** Builds the outdated ones of the named parts, by default of all. Returns the date of the newest, `YYYY-MM-DD`. */
export async function build(names = Object.keys(parts)) {
  let newest = ''
  for (const [name, part] of Object.entries(parts)) {
    if (!names.includes(name)) continue
    const stampFile = join(root, part.output, '.stamp.json')
    const inputs = await fingerprint(part.sources)
    let stamp = await readStamp(stampFile)
    if (stamp?.inputs !== inputs) {
      process.stdout.write(`building ${name} …\n`)
      await part.build()
      stamp = { inputs, day: new Date().toISOString().slice(0, 10) }
      await writeFile(stampFile, JSON.stringify(stamp))
    }
    if (stamp.day > newest) newest = stamp.day
  }
  return newest
}

async function readStamp(file) {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch {
    return undefined
  }
}

async function fingerprint(sources) {
  const hash = createHash('sha256')
  for (const source of sources) {
    for (const file of (await list(join(root, source))).sort()) {
      if (/\.test\.tsx?$/.test(file)) continue
      const facts = await stat(file)
      hash.update(`${relative(root, file)} ${facts.size} ${facts.mtimeMs}\n`)
    }
  }
  return hash.digest('hex')
}

async function list(path) {
  const facts = await stat(path).catch(() => undefined)
  if (facts === undefined) return []
  if (facts.isFile()) return [path]
  const entries = (await readdir(path)).filter((name) => !ignored.has(name))
  return (await Promise.all(entries.map((name) => list(join(path, name))))).flat()
}

function buildServer() {
  // images are resized by a separate process, started from its own file
  return buildForNode('server', {
    main: 'main/server.ts',
    cli: 'main/cli.ts',
    gateway: 'main/gateway.ts',
    'picture-process': 'files/thumbnails/picture-process.js',
  })
}

/** Builds what runs in separate processes: a media engine, and the host of engines on another machine. */
function buildMedia() {
  return buildForNode('media', { 'engine-process': 'engine-process.ts', 'engine-host': 'engine-host.ts' })
}

/** Builds the command that runs the mail suite. */
function buildMail() {
  return buildForNode('mail', { suite: 'suite/suite-command.ts' }, 'deploy/mail')
}

async function buildForNode(name, entries, folder = `packages/${name}/src`) {
  const { build: bundle } = await import('esbuild')
  const output = join(root, parts[name].output)
  await rm(output, { recursive: true, force: true })
  await bundle({ ...(await bundleOptions()), ...entryPoints(entries, folder), outdir: output })
}

function entryPoints(entries, folder) {
  const files = Object.entries(entries).map(([entry, file]) => [entry, join(root, folder, file)])
  return { entryPoints: Object.fromEntries(files) }
}

/** Returns how our code is bundled for Node.js, one file for each set of modules that is loaded together. */
export async function bundleOptions() {
  const external = new Set()
  for (const workspace of ['server', 'media']) {
    const manifest = JSON.parse(await readFile(join(root, `packages/${workspace}/package.json`), 'utf8'))
    for (const dependency of Object.keys(manifest.dependencies)) external.add(dependency)
  }
  return {
    bundle: true,
    splitting: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    sourcemap: true,
    // the tables of each room
    loader: { '.sql': 'text' },
    // our own packages are bundled, everything else from the registry is loaded as installed
    external: [...external]
      .filter((dependency) => !dependency.startsWith('@gatehouse/') && !bundled.has(dependency))
      .flatMap((dependency) => [dependency, `${dependency}/*`]),
    logLevel: 'warning',
  }
}

async function buildWeb() {
  // in a separate process, because Vite sets NODE_ENV for the whole process
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  const args = [vite, 'build', join(root, 'packages/web'), '--logLevel', 'warn']
  // whichever environment runs the build, such as a test
  const env = { ...process.env, NODE_ENV: 'production' }
  await promisify(execFile)(process.execPath, args, { cwd: root, env })
  const assets = join(root, parts.web.output, 'assets')
  for (const file of await list(assets)) {
    if (/\.(js|css|svg|json)$/.test(file)) await compress(file)
  }
}

async function compress(file) {
  const content = await readFile(file)
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }
  await writeFile(`${file}.br`, await promisify(brotliCompress)(content, quality))
  await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: 9 }))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await build()
