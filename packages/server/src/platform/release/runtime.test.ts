import { expect, test } from 'vitest'
import { runtimeWarning } from './runtime.ts'

test.each([
  ['v20.19.0', 'Node 20 is out of support; use Node 26'],
  ['v22.0.0', 'Node 22 is out of support; use Node 26'],
  ['v24.3.0', undefined],
  ['v26.12.1', undefined],
  ['v27.0.0-nightly', undefined],
])('warns about runtimes without security updates: %s', (nodeVersion, warning) => {
  expect(runtimeWarning(nodeVersion)).toBe(warning)
})
