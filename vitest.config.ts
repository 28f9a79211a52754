import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    // each file has a database, and in the browser a server, of its own; one alone leaves a core idle
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: 'server',
          include: ['packages/server/src/**/*.test.ts', 'packages/contract/src/**/*.test.ts'],
          globalSetup: 'packages/server/src/testing/global-setup.ts',
          // modules keep no state and nothing is mocked; to read them anew for each file took half of the time
          isolate: false,
          testTimeout: 20_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'media',
          include: ['packages/media/src/**/*.test.ts'],
          globalSetup: 'packages/media/src/testing/global-setup.ts',
          testTimeout: 20_000,
          hookTimeout: 60_000,
        },
      },
      'packages/web/vitest.config.ts',
      'e2e/vitest.config.ts',
      'e2e/vitest.meetings.config.ts',
      'e2e/vitest.suite.config.ts',
    ],
  },
})
