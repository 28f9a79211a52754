import { configDefaults, defineConfig } from 'vitest/config'
import { browserTests, meetings, suiteTests } from './vitest.options.ts'

export default defineConfig({
  test: {
    ...browserTests,
    name: 'e2e',
    include: ['**/*.e2e.ts'],
    exclude: [...configDefaults.exclude, ...meetings, ...suiteTests],
  },
})
