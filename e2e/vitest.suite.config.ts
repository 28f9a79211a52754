import { defineConfig } from 'vitest/config'
import { browserTests, suiteTests } from './vitest.options.ts'

/** Runs last, one file at a time: the files share the programs of one mail suite. */
export default defineConfig({
  test: {
    ...browserTests,
    name: 'e2e-suite',
    include: suiteTests,
    globalSetup: [browserTests.globalSetup, 'suite/support/global-setup.ts'],
    maxWorkers: 1,
    sequence: { groupOrder: 3 },
  },
})
