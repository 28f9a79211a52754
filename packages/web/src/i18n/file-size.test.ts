import { beforeEach, expect, test } from 'vitest'
import { fileSize } from './file-size.ts'
import { activateLanguage } from './i18n.ts'

beforeEach(() => activateLanguage('en'))

test.each([
  [0, '0 B'],
  [1023, "1'023 B"],
  [1024, '1 kB'],
  [1536, '1.5 kB'],
  [99 * 1024 + 512, '99.5 kB'],
  [1024 * 1024 - 1, '1 MB'],
  [5 * 1024 ** 2, '5 MB'],
  [1.25 * 1024 ** 3, '1.3 GB'],
  [16 * 1024 ** 4, "16'384 GB"],
])('%i bytes are %s', (bytes, text) => {
  expect(fileSize(bytes).replace('\u00a0', ' ')).toBe(text)
})

test('formats sizes in the language', async () => {
  await activateLanguage('de')
  expect(fileSize(1536)).toBe('1,5\u00a0kB')
})
