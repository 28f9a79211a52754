import type { ProjectConfig } from 'vitest/node'

/** The files of the project `e2e-meetings`, which need the whole machine; all others belong to `e2e`. */
export const meetings = ['meet', 'meet-firefox', 'meet-recovery'].map((name) => `meetings/${name}.e2e.ts`)

/** The files of the project `e2e-suite`, which share one mail suite. */
export const suiteTests = ['suite/**/*.e2e.ts']

/** Options shared by all projects. */
export const browserTests = {
  globalSetup: 'support/global-setup.ts',
  // some tests open many screens, and CI machines are busy
  testTimeout: 120_000,
  hookTimeout: 60_000,
  // A browser on a busy machine occasionally loses a race that no user would. Retries aren't silent: `npm test`
  // lists every retried test above its summary.
  retry: 1,
  // same as the browser's timeout for elements
  expect: { poll: { timeout: 10_000 } },
} satisfies ProjectConfig
