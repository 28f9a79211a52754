import { defineConfig } from 'vitest/config'
import { tusClient } from './vite/tus-client.ts'
import { worldMap } from './vite/world-map.ts'

export default defineConfig({
  plugins: [worldMap()],
  resolve: { alias: tusClient },
  test: {
    name: 'web',
    server: { deps: { inline: ['tus-js-client'] } },
    include: ['src/**/*.test.ts', 'src/**/*.test.tsx'],
    testTimeout: 20_000,
    // with the browser tests, in as many workers
    sequence: { groupOrder: 1 },
  },
})
