import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** Labels and messages fixed by the specification, copied from its error catalogue. */
const specified = [
  'Bad request',
  'Unauthorized',
  'Access denied',
  'Not found',
  'Method not allowed',
  'Internal server error',
  'Unknown error',
  'Server error',
  'Form validation error',
  'Failed to load data.',
  'Resource not found.',
  'The password reset code is expired or invalid.',
  'The setup of automatic payments failed. Restart the process to enable automatic top-ups.',
  'The configured auto-payment has been disabled. Top up your wallet or raise the auto-payment amount.',
]

const web = join(import.meta.dirname, 'messages')
const server = join(import.meta.dirname, '../../../server/src/platform/i18n/messages')

/** Returns all English texts of a folder. */
function textsIn(folder: string): ReadonlySet<string> {
  const files = readdirSync(folder).filter((file) => file.endsWith('.en.json'))
  // catalogues are objects of strings, as checked by their own test
  const all = files.map(
    (file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as Record<string, string>,
  )
  return new Set(all.flatMap((texts) => Object.values(texts)))
}

test.each(specified)('%j is a text of the application, verbatim', (text) => {
  expect(textsIn(web)).toContain(text)
})

test.each(specified.filter((text) => /auto/.test(text)))('%j is also a text of the server', (text) => {
  expect(textsIn(server)).toContain(text)
})
