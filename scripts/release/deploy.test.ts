import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const { version } = JSON.parse(read('package.json'))
const documented = new Set(
  [...read('docs/SETTINGS.md').matchAll(/^\| `([A-Z_\d]+)` \|/gm)].map(([, name]) => name),
)

test.each([
  ['deploy/compose.yaml', /^ {6}([A-Z][A-Z_\d]+): /gm],
  ['deploy/systemd/portal.env', /^#?([A-Z][A-Z_\d]+)=/gm],
  ['deploy/systemd/gateway.env', /^#?([A-Z][A-Z_\d]+)=/gm],
])('%s sets only settings that exist', (file, setting) => {
  // of the other images
  const foreign = /^(?:POSTGRES|MINIO)_|^STORE_PASSWORD$|^APP_HOST$/
  const names = [...read(file).matchAll(setting)]
    .map(([, name = '']) => name)
    .filter((name) => !foreign.test(name))
  expect(names.length).toBeGreaterThan(1)
  expect(names.filter((name) => !documented.has(name))).toEqual([])
})

test('the sample for containers uses the image of this version', () => {
  expect(read('deploy/compose.yaml')).toContain(`gatehouse:\${VERSION:-${version}}`)
  expect(read('deploy/container/Containerfile')).toContain(`gatehouse:${version} release`)
})

test('the image runs as an ordinary user, without build tools in its last stage', () => {
  const [, , last = ''] = read('deploy/container/Containerfile').split(/^FROM /m)
  expect(last).toMatch(/^USER 10001:10001$/m)
  expect(last).not.toMatch(/npm|build-essential|ADD /)
})
