import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { errorsIn } from '../../platform/http/validation.ts'
import { checkDomainConfig } from './configure-domain.ts'

const entryInvalid = { key: 'domains.spf-entry-invalid' }

describe('the SPF allowlist', () => {
  test.each<[unknown, string[]]>([
    [
      ['.example.org', '.b.example.net'],
      ['.example.org', '.b.example.net'],
    ],
    ['.example.org', ['.example.org']],
    [['.Example.ORG..', ' .example.org '], ['.example.org']],
    [['', null, '.a.test', '  ', '.'], ['.a.test']],
    [['.bücher.test'], ['.xn--bcher-kva.test']],
    [[], []],
    [null, []],
  ])('stores %j as %j', (sent, expected) => {
    expect(checkDomainConfig({ spf_whitelist: sent })).toEqual({ value: expected })
  })

  test.each<[unknown, number[]]>([
    [['example.org'], [0]],
    [
      ['.ok.test', '', 'bad', '.also.ok.test', '.x'],
      [2, 4],
    ],
    [['.127.0.0.1'], [0]],
    [
      ['.a b.test', '.*.test', '..a.test'],
      [0, 1, 2],
    ],
    [
      [{ a: 1 }, ['.a.test'], 7],
      [0, 1, 2],
    ],
    ['nonsense', [0]],
  ])('rejects %j at the positions %j of the input', (sent, places) => {
    expect(checkDomainConfig({ spf_whitelist: sent })).toEqual({
      errors: { spf_whitelist: new Map(places.map((place) => [place, entryInvalid])) },
    })
  })

  test('is limited in length', () => {
    const checked = checkDomainConfig({ spf_whitelist: Array.from({ length: 1001 }, () => '.a.test') })
    expect(checked).toEqual({
      errors: { spf_whitelist: { key: 'domains.spf-too-many', params: { max: 1000 } } },
    })
  })

  test('accepts stored entries unchanged when they are sent again', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.domain().map((name) => `.${name}`),
            fc.string(),
            fc.constant(null),
          ),
        ),
        (sent) => {
          const checked = checkDomainConfig({ spf_whitelist: sent })
          if ('errors' in checked) return
          expect(checkDomainConfig({ spf_whitelist: checked.value })).toEqual(checked)
        },
      ),
    )
  })
})

test('reports an unknown key at that key and still validates the others', () => {
  const checked = checkDomainConfig({ colour: 'red', __proto__x: 1, spf_whitelist: ['bad'] })
  expect(Object.keys(errorsIn(checked)).sort()).toEqual(['colour', 'input', 'spf_whitelist'])
})
