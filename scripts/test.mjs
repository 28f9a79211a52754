// Runs all checks: formatting, lint, types, unit and API tests on a real PostgreSQL, browser tests.
// `npm test`; with paths or options of vitest (`npm test -- packages/server/src/signup`), only those tests.
// The last line is a summary: N passed, N failed.
import { spawn, spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findBrowser } from './browser.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
process.chdir(root)
let passed = 0
let failed = 0

/** Runs a separate check; it counts as one. */
async function check(name, command, args) {
  process.stdout.write(`\n— ${name}\n`)
  const ok = (await run(command, args)) === 0
  if (ok) passed++
  else failed++
  return ok
}

function run(command, args) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'] })
    child.once('error', (error) => {
      process.stderr.write(`${error.message}\n`)
      resolve(1)
    })
    child.once('exit', (code) => resolve(code ?? 1))
  })
}

/** Runs tests and adds up the runner's counts. A runner that dies counts as a failure. */
async function tests(args) {
  process.stdout.write('\n— tests\n')
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-results-'))
  const file = join(folder, 'results.json')
  const code = await run(bin('vitest'), [
    'run',
    '--reporter=default',
    '--reporter=json',
    '--reporter=./scripts/second-tries.mjs',
    `--outputFile=${file}`,
    ...args,
  ])
  try {
    const results = JSON.parse(await readFile(file, 'utf8'))
    passed += results.numPassedTests
    failed += results.numFailedTests
    const brokenFiles = results.testResults.filter(
      (one) => one.status === 'failed' && one.assertionResults.length === 0,
    )
    failed += brokenFiles.length
    if (code !== 0 && failed === 0) failed++
  } catch {
    failed++
  }
  await rm(folder, { recursive: true, force: true })
}

function bin(name) {
  return join(root, 'node_modules/.bin', name)
}

/** Installs Debian's headless shell of Chromium if there is no browser and it can be installed; prints the result. */
async function ensureBrowser() {
  const mayInstall = process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0
  if (findBrowser() === undefined && mayInstall) await run('bash', ['scripts/install-browser'])
  const browser = findBrowser()
  const told =
    browser === undefined
      ? 'The browser tests need Chromium. Install it (Debian: bash scripts/install-browser) or set CHROMIUM to its path.'
      : `browser: ${browser}`
  process.stdout.write(`${told}\n`)
  return browser !== undefined
}

async function everything() {
  await check('format and lint (biome)', bin('biome'), ['check', '.'])
  await check('lint with types (oxlint)', bin('oxlint'), ['--type-aware'])
  await check('types', process.execPath, ['scripts/typecheck.mjs'])
  const built = await check('build', process.execPath, ['scripts/build.mjs'])
  if (built) await check('size of the first load', process.execPath, ['packages/web/scripts/first-load.mjs'])
  const withBrowser = (await ensureBrowser()) && built
  if (!withBrowser) failed++
  const projects = [
    'server',
    'media',
    'web',
    'release',
    ...(withBrowser ? ['e2e', 'e2e-meetings', 'e2e-suite'] : []),
  ]
  await tests(projects.flatMap((name) => ['--project', name]))
}

const selection = process.argv.slice(2)
await (selection.length === 0 ? everything() : tests(selection))

process.stdout.write(`\n${passed} passed, ${failed} failed\n`)
process.exitCode = failed > 0 || passed === 0 ? 1 : 0
