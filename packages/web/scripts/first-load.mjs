// Prints the gzip size of a first visit to the login page, from the manifest of the last build: for users,
// and for staff, who also load the cockpit's routes and texts. Fails above a budget; `npm test` runs it.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

/** In bytes; staff load the code shared by most screens at once. */
const budgets = { users: 115_000, staff: 119_000 }
const dist = join(import.meta.dirname, '..', 'dist')
const manifest = JSON.parse(readFileSync(join(dist, '.vite', 'manifest.json'), 'utf8'))

/** Returns the files of an entry and of its static imports. */
function closure(key, seen = new Set(), files = new Set()) {
  if (seen.has(key)) return files
  seen.add(key)
  const { file, css = [], imports = [] } = manifest[key]
  files.add(file)
  for (const style of css) files.add(style)
  for (const next of imports) closure(next, seen, files)
  return files
}

const gzipped = (file) => gzipSync(readFileSync(join(dist, file)), { level: 9 }).length

function total(files) {
  return files.reduce((sum, file) => sum + gzipped(file), 0)
}

/** Returns the files of the language in which these texts are largest. */
function heaviestTexts(texts, shared) {
  const languages = Object.keys(manifest)
    .filter((key) => texts.test(key))
    .map((key) => [...closure(key)].filter((file) => !shared.has(file)))
  return languages.sort((a, b) => total(b) - total(a))[0] ?? []
}

const user = closure('src/main.tsx')
const staff = new Set([...user, ...closure('src/app/cockpit.ts')])

const shell = /\/languages\/\w+\.ts$/
const cockpit = /\/messages\/cockpit\.\w+\.json$/

report('users', [...user, ...heaviestTexts(shell, user)])
report('staff', [...staff, ...heaviestTexts(shell, staff), ...heaviestTexts(cockpit, staff)])

function report(name, files) {
  for (const file of files) console.log(`${String(gzipped(file)).padStart(8)}  ${file}`)
  const js = total(files.filter((file) => file.endsWith('.js')))
  const css = total(files.filter((file) => file.endsWith('.css')))
  console.log(
    `${String(js + css).padStart(8)}  ${name} together: ${js} JS, ${css} CSS; budget ${budgets[name]}`,
  )
  if (js + css > budgets[name]) process.exitCode = 1
}
