// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from 'vitest'
import { ChunkError, loadChunk } from './chunks.ts'

const gone = () => Promise.reject(new TypeError('Failed to fetch dynamically imported module'))

beforeEach(() => sessionStorage.clear())

test('reloads the page once, then shows the failure', async () => {
  const reload = vi.fn()
  void loadChunk(gone, reload)
  await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(1))
  await expect(loadChunk(gone, reload)).rejects.toBeInstanceOf(ChunkError)
  expect(reload).toHaveBeenCalledTimes(1)
})

test("chunks that load after a reload don't cause further reloads", async () => {
  const reload = vi.fn()
  void loadChunk(gone, reload)
  await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(1))
  await expect(loadChunk(() => Promise.resolve('part'), reload)).resolves.toBe('part')
  await expect(loadChunk(gone, reload)).rejects.toBeInstanceOf(ChunkError)
  expect(reload).toHaveBeenCalledTimes(1)
})

test('recovers from another missing chunk a minute later', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const reload = vi.fn()
  void loadChunk(gone, reload)
  await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(1))
  vi.advanceTimersByTime(60_000)
  void loadChunk(gone, reload)
  await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(2))
  vi.useRealTimers()
})
