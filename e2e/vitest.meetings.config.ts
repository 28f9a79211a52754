import { defineConfig } from 'vitest/config'
import { browserTests, meetings } from './vitest.options.ts'

/** After all other tests and one file at a time: browsers that encode and decode for six need the whole machine. */
export default defineConfig({
  test: {
    ...browserTests,
    name: 'e2e-meetings',
    include: meetings,
    maxWorkers: 1,
    sequence: { groupOrder: 1 },
  },
})
