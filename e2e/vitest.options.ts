import type { ProjectConfig } from 'vitest/node'

/** The files of the project `e2e-meetings`, which need the whole machine; all others are of `e2e`. */
export const meetings = ['meet', 'meet-firefox', 'meet-recovery'].map((name) => `meetings/${name}.e2e.ts`)

/** What both projects have in common. */
export const browserTests = {
  globalSetup: 'support/global-setup.ts',
  // some tests visit many screens, and CI machines are busy
  testTimeout: 120_000,
  hookTimeout: 60_000,
  // A browser on a busy machine now and then loses a race that no person would. The second try is not silent:
  // `npm test` lists, above its summary, every test that needed it.
  retry: 1,
  // as long as the browser waits for an element
  expect: { poll: { timeout: 10_000 } },
} satisfies ProjectConfig
