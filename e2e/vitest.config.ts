import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'e2e',
    include: ['**/*.e2e.ts'],
    globalSetup: 'support/global-setup.ts',
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A browser on a busy machine now and then loses a race that no person would. The second try is not silent:
    // `npm test` lists, above its summary, every test that needed it.
    retry: 1,
    // as long as the browser waits for an element
    expect: { poll: { timeout: 10_000 } },
  },
})
