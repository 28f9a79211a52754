import { defineConfig } from 'vitest/config'
import { SlowestFirst } from './scripts/slowest-first.mjs'

/** Server tests often wait: for the database, a process, a time limit. On two cores, a third one fills the gaps. */
const serverWorkers = 3

export default defineConfig({
  test: {
    // web and browser tests: each file has a browser or a DOM of its own; one alone leaves a core idle
    maxWorkers: 2,
    sequence: { sequencer: SlowestFirst },
    projects: [
      {
        test: {
          name: 'server',
          include: ['packages/{server,contract,client}/**/*.test.ts'],
          globalSetup: 'packages/server/src/testing/global-setup.ts',
          maxWorkers: serverWorkers,
          // modules keep no state and nothing is mocked; to read them anew for each file took half of the time
          isolate: false,
          testTimeout: 20_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'media',
          maxWorkers: serverWorkers,
          include: ['packages/media/src/**/*.test.ts'],
          globalSetup: 'packages/media/src/testing/global-setup.ts',
          testTimeout: 20_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'release',
          // the runner refuses projects side by side with different numbers of workers
          maxWorkers: serverWorkers,
          include: ['scripts/release/**/*.test.ts', 'deploy/tests/**/*.test.ts'],
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
