// Prints what a first visit to the login page fetches, in gzip bytes, from the manifest of the last build.
// Fails above the budget, so that a check can call it.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

const budget = 140_000
const dist = join(import.meta.dirname, '..', 'dist')
const manifest = JSON.parse(readFileSync(join(dist, '.vite', 'manifest.json'), 'utf8'))

/** Files of an entry and of everything that it imports statically. */
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

const shared = closure('src/main.tsx')
const texts = Object.keys(manifest)
  .filter((key) => /\/messages\/shell\.\w+\.json$/.test(key))
  .map((key) => [...closure(key)].filter((file) => !shared.has(file)))
const heaviest = texts.sort((a, b) => total(b) - total(a))[0] ?? []

function total(files) {
  return files.reduce((sum, file) => sum + gzipped(file), 0)
}

const files = [...shared, ...heaviest]
for (const file of files) console.log(`${String(gzipped(file)).padStart(8)}  ${file}`)
const js = total(files.filter((file) => file.endsWith('.js')))
const css = total(files.filter((file) => file.endsWith('.css')))
console.log(`${String(js + css).padStart(8)}  together: ${js} JS, ${css} CSS; budget ${budget}`)
if (js + css > budget) process.exitCode = 1
