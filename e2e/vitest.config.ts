import { configDefaults, defineConfig } from 'vitest/config'
import { browserTests, meetings, suiteTests } from './vitest.options.ts'

export default defineConfig({
  test: {
    ...browserTests,
    name: 'e2e',
    // after the server tests, which run in more workers
    sequence: { groupOrder: 1 },
    include: ['**/*.e2e.ts'],
    exclude: [...configDefaults.exclude, ...meetings, ...suiteTests],
  },
})
