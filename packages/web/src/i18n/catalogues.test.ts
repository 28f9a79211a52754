import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fieldsWith } from '@gatehouse/contract/directory/user-fields'
import { languages } from '@gatehouse/contract/language'
import { type CompiledMessage, compileMessage } from '@lingui/message-utils/compileMessage'
import { describe, expect, test } from 'vitest'

const messagesFolder = join(import.meta.dirname, 'messages')
const sourceFolder = join(import.meta.dirname, '..')

/** Key groups in the catalogue of the first load. */
const shellGroups = [
  'degraded',
  'dialog',
  'error',
  'form',
  'list',
  'load',
  'login',
  'logout',
  'menu',
  'price',
  'section',
  'session',
  'shell',
  'status',
  'steps',
  'title',
  'toast',
  'unsaved',
  'words',
]

/** Menu labels come from the configuration, so no source file contains their keys. */
const namedByConfiguration = /^menu\./

/** Keys of personal field labels come from the list of fields. */
const fieldLabels = fieldsWith('section').map((name) => `userfields.${name}`)

const areas = [...new Set(readdirSync(messagesFolder).map((file) => file.split('.')[0] ?? ''))]

function catalogue(area: string, language: string): Record<string, string> {
  return JSON.parse(readFileSync(join(messagesFolder, `${area}.${language}.json`), 'utf8'))
}

const english = Object.fromEntries(areas.flatMap((area) => Object.entries(catalogue(area, 'en'))))

/** Returns names and types of a message's parameters, and its rich text tags. */
function parameters(text: string): string[] {
  const found = new Set<string>()
  const visit = (tokens: CompiledMessage) => {
    if (!Array.isArray(tokens)) return
    for (const token of tokens) {
      if (!Array.isArray(token)) continue
      const [name, kind, cases] = token
      found.add(kind ? `${name}:${kind}` : name)
      if (kind === 'select' && typeof cases === 'object')
        found.add(
          `${name}:${Object.keys(cases ?? {})
            .sort()
            .join()}`,
        )
      if (typeof cases === 'object' && cases !== null)
        for (const branch of Object.values(cases)) visit(branch)
    }
  }
  visit(compileMessage(text))
  for (const [mark] of text.matchAll(/<\/?\w+>/g)) found.add(mark)
  return [...found].sort()
}

const sources = readdirSync(sourceFolder, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
  .map((file) => [file, readFileSync(join(sourceFolder, file), 'utf8')] as const)

describe.each(areas)('the catalogue %s', (area) => {
  const keys = Object.keys(catalogue(area, 'en'))

  test.each(languages)('is complete in %s, without empty messages', (language) => {
    const other = catalogue(area, language)
    expect(Object.keys(other).sort()).toEqual([...keys].sort())
    expect(Object.entries(other).filter(([, text]) => text.trim() === '')).toEqual([])
  })

  test.each(languages)('has the same parameters in %s as in English', (language) => {
    for (const [key, text] of Object.entries(catalogue(area, language))) {
      expect([key, parameters(text)]).toEqual([key, parameters(english[key] ?? '')])
    }
  })

  test('contains only its own keys', () => {
    const groups = area === 'shell' ? shellGroups : [area]
    expect(keys.filter((key) => !groups.includes(key.split('.')[0] ?? ''))).toEqual([])
  })
})

test('no key exists in two catalogues', () => {
  const all = areas.flatMap((area) => Object.keys(catalogue(area, 'en')))
  expect(all.filter((key, index) => all.indexOf(key) !== index)).toEqual([])
})

test('every key is used', () => {
  const named = new Set(sources.flatMap(([, source]) => source.match(/(?<=')[\w.-]+(?=')/g) ?? []))
  const unused = Object.keys(english).filter(
    (key) => !namedByConfiguration.test(key) && !fieldLabels.includes(key) && !named.has(key),
  )
  expect(unused).toEqual([])
})

test('every used key exists', () => {
  expect(Object.keys(catalogue('userfields', 'en')).sort()).toEqual([...fieldLabels].sort())
  const missing = sources.flatMap(([file, source]) =>
    [...source.matchAll(/\bt\(\s*'([^']+)'/g)]
      .map(([, key = '']) => key)
      .filter((key) => !(key in english))
      .map((key) => `${file}: ${key}`),
  )
  expect(missing).toEqual([])
})
