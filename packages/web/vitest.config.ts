import { defineConfig } from 'vitest/config'
import { worldMap } from './vite/world-map.ts'

export default defineConfig({
  plugins: [worldMap()],
  test: { name: 'web', include: ['src/**/*.test.ts', 'src/**/*.test.tsx'] },
})
