import { defineConfig } from 'vitest/config'
import { browserTests, meetings } from './vitest.options.ts'

/** Runs after all other tests, one file at a time: encoding and decoding for six browsers needs the whole machine. */
export default defineConfig({
  test: {
    ...browserTests,
    name: 'e2e-meetings',
    include: meetings,
    maxWorkers: 1,
    sequence: { groupOrder: 2 },
  },
})
