import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'e2e',
    include: ['**/*.e2e.ts'],
    globalSetup: 'support/global-setup.ts',
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // as long as the browser waits for an element
    expect: { poll: { timeout: 10_000 } },
  },
})
