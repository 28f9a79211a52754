import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'

const source = import.meta.dirname
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.tsx'),
)
const read = (file: string) => readFileSync(join(source, file), 'utf8')

/** Roles whose keyboard support the component must implement. */
const composite = /role="(combobox|dialog|listbox|menu|tablist|tree)"/

/** In the design system, also components with state or key handlers. */
const interactive = /onKeyDown=|aria-(checked|expanded|pressed|sort)=|type="(checkbox|radio)"/

function isInteractive(file: string): boolean {
  const text = read(file)
  return composite.test(text) || (file.startsWith('ui/') && interactive.test(text))
}

/** Returns the imports of a test, as paths relative to the source folder. */
function importsOf(test: string): string[] {
  return [...read(test).matchAll(/from '(\.[^']+)'/g)].map(([, target = '']) =>
    relative(source, join(source, dirname(test), target)),
  )
}

/** Components whose keyboard support is tested in a parent component. */
const partOf: Readonly<Record<string, string>> = {
  'ui/data-table/data-table.tsx': 'ui/data-table/data-list.tsx',
}

test('every component with key handlers has a keyboard test', () => {
  const components = files.filter((file) => !/\.test(-data)?\.tsx$/.test(file) && isInteractive(file))
  const tested = new Set(files.filter((file) => file.endsWith('-keyboard.test.tsx')).flatMap(importsOf))
  expect(components.length).toBeGreaterThan(12)
  expect(components.filter((file) => !tested.has(partOf[file] ?? file))).toEqual([])
})
