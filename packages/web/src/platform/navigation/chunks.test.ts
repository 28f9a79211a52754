// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from 'vitest'
import { ChunkError, loadChunk } from './chunks.ts'

const gone = () => Promise.reject(new TypeError('Failed to fetch dynamically imported module'))

beforeEach(() => sessionStorage.clear())

test('the page is loaded anew once, then the failure is shown', async () => {
  const reload = vi.fn()
  void loadChunk(gone, reload)
  await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(1))
  await expect(loadChunk(gone, reload)).rejects.toBeInstanceOf(ChunkError)
  expect(reload).toHaveBeenCalledTimes(1)
})

test('parts that arrive in the page that was loaded anew do not have it loaded again and again', async () => {
  const reload = vi.fn()
  void loadChunk(gone, reload)
  await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(1))
  await expect(loadChunk(() => Promise.resolve('part'), reload)).resolves.toBe('part')
  await expect(loadChunk(gone, reload)).rejects.toBeInstanceOf(ChunkError)
  expect(reload).toHaveBeenCalledTimes(1)
})

test('a minute later the next loss is recovered from', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const reload = vi.fn()
  void loadChunk(gone, reload)
  await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(1))
  vi.advanceTimersByTime(60_000)
  void loadChunk(gone, reload)
  await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(2))
  vi.useRealTimers()
})
