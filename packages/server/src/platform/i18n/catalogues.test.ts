import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { catalogueProblems, messagePlaces } from './catalogue-checks.ts'
import { type Catalogue, catalogues } from './catalogues.ts'
import { unusedKeys, usedKeys } from './used-keys.ts'

const hello = { hello: 'Hello {name}', days: '{n, plural, one {# day} other {# days}}' }

function problemsWithGerman(german: Catalogue): string[] {
  return catalogueProblems({ en: hello, de: german, fr: hello, it: hello })
}

describe('the catalogues', () => {
  it('are complete and valid, with the same placeholders in all languages', () => {
    expect(catalogueProblems(catalogues)).toEqual([])
  })

  it('are translated: no text equals the English one', () => {
    const sentences = Object.entries(catalogues.en).filter(([, text]) => text.split(' ').length > 3)
    expect(sentences.length).toBeGreaterThan(40)
    for (const language of ['de', 'fr', 'it'] as const) {
      for (const [key, text] of sentences)
        expect(catalogues[language][key], `${language} ${key}`).not.toBe(text)
    }
  })
})

describe('the catalogue check', () => {
  it('accepts a correct translation with its own plural forms', () => {
    expect(
      problemsWithGerman({
        hello: 'Guten Tag {name}',
        days: '{n, plural, =0 {kein Tag} one {# Tag} other {# Tage}}',
      }),
    ).toEqual([])
  })

  it('finds a missing key', () => {
    expect(problemsWithGerman({ hello: 'Guten Tag {name}' })).toEqual(['de: "days" is missing'])
  })

  it('finds a key missing in English', () => {
    expect(problemsWithGerman({ ...hello, extra: 'Mehr' })).toEqual(['de: "extra" is not in English'])
  })

  it.each([
    ['Guten Tag', 'has the places [] instead of [name]'],
    ['Guten Tag {Name}', 'has the places [Name] instead of [name]'],
    ['{name, number}', 'has the places [name:number] instead of [name]'],
    ['{name, plural, other {{name}}}', 'has the places [name, name:plural] instead of [name]'],
    ['Guten Tag {name', 'cannot be parsed'],
    ['{name, plural, one {x}}', 'cannot be parsed'],
    ["C'est {name}", 'has a straight apostrophe'],
    [' ', 'is empty'],
  ])('rejects %j', (text, problem) => {
    expect(problemsWithGerman({ ...hello, hello: text })).toEqual([`de: "hello" ${problem}`])
  })

  it('compares the cases of a select', () => {
    expect(messagePlaces('{kind, select, a {x} other {y}}')).toEqual(new Set(['kind:select(a,other)']))
  })
})

describe('the check for unused keys', () => {
  it('recognises quoted keys, ignores tests and dynamic families, and reports the rest', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'keys-'))
    try {
      await writeFile(join(folder, 'rules.ts'), `t('auth.failed'); t("auth.out", {}); t(\`plan.x\`)`)
      await writeFile(join(folder, 'rules.test.ts'), `t('only.tested')`)
      await writeFile(join(folder, 'notes.md'), `'only.noted'`)
      const keys = [
        'auth.failed',
        'auth.out',
        'plan.x',
        'auth.fail',
        'only.tested',
        'only.noted',
        'process-new',
      ]
      expect(await usedKeys(folder, keys)).toEqual(new Set(['auth.failed', 'auth.out', 'plan.x']))
      expect(await unusedKeys(folder, keys, [/^process-/])).toEqual([
        'auth.fail',
        'only.tested',
        'only.noted',
      ])
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})
