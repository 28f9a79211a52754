import { expect, test } from 'vitest'
import { readUserAgent } from './user-agent.ts'

const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)'
const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)'
const mac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)'

test.each([
  [`${windows}; rv:140.0) Gecko/20100101 Firefox/140.0`, 'Firefox', 'Windows', 'computer'],
  [`${windows} ${webkit} Chrome/142.0.0.0 Safari/537.36`, 'Chrome', 'Windows', 'computer'],
  [`${windows} ${webkit} Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0`, 'Edge', 'Windows', 'computer'],
  [`${windows} ${webkit} Chrome/140.0.0.0 Safari/537.36 OPR/124.0.0.0`, 'Opera', 'Windows', 'computer'],
  [
    `${mac} AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15`,
    'Safari',
    'macOS',
    'computer',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox', 'Linux', 'computer'],
  [
    `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${webkit} Chrome/141.0.0.0 Safari/537.36`,
    'Chrome',
    'ChromeOS',
    'computer',
  ],
  [
    `Mozilla/5.0 (X11; Linux x86_64) ${webkit} HeadlessChrome/142.0.0.0 Safari/537.36`,
    'Chrome',
    'Linux',
    'computer',
  ],
  [
    `Mozilla/5.0 (Linux; Android 15; Pixel 9) ${webkit} Chrome/142.0.0.0 Mobile Safari/537.36`,
    'Chrome',
    'Android',
    'phone',
  ],
  [
    `Mozilla/5.0 (Linux; Android 14; SM-X700) ${webkit} SamsungBrowser/28.0 Chrome/130.0.0.0 Safari/537.36`,
    'Samsung Internet',
    'Android',
    'tablet',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1',
    'Safari',
    'iOS',
    'phone',
  ],
  [
    'Mozilla/5.0 (iPad; CPU OS 17_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/141.0 Mobile/15E148 Safari/604.1',
    'Chrome',
    'iPadOS',
    'tablet',
  ],
  [
    'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Thunderbird/140.4.0',
    'Thunderbird',
    'Linux',
    'program',
  ],
  ['curl/8.5.0', 'curl', null, 'program'],
  ['python-requests/2.32.3', 'python-requests', null, 'program'],
  ['Dalvik/2.1.0 (Linux; U; Android 15; Pixel 9)', 'Dalvik', 'Android', 'program'],
  ['Mozilla/5.0', null, null, 'program'],
  ['', null, null, 'program'],
  ['<script>alert(1)</script>', null, null, 'program'],
  ['\u0000\ud800', null, null, 'program'],
])('%s', (text, program, system, kind) => {
  expect(readUserAgent(text)).toEqual({ program, system, kind })
})

test('a text of any length is parsed quickly', () => {
  const began = performance.now()
  for (const text of ['Version/1 '.repeat(60), 'a '.repeat(256), `Mozilla/5.0 ${'('.repeat(500)}`])
    readUserAgent(text)
  expect(performance.now() - began).toBeLessThan(200)
})
