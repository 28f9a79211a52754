import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkDomainConfig } from './configure-domain.ts'

const entryInvalid = { key: 'domains.spf-entry-invalid' }

describe('the SPF white list', () => {
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
  ])('%j is kept as %j', (sent, expected) => {
    expect(checkDomainConfig({ spf_whitelist: sent })).toEqual({ spfWhitelist: expected, errors: {} })
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
  ])('%j is refused at the places %j of the input', (sent, places) => {
    const { errors } = checkDomainConfig({ spf_whitelist: sent })
    expect(errors.spf_whitelist).toEqual(new Map(places.map((place) => [place, entryInvalid])))
  })

  test('has no more entries than somebody keeps', () => {
    const { errors } = checkDomainConfig({ spf_whitelist: Array.from({ length: 1001 }, () => '.a.test') })
    expect(errors).toEqual({ spf_whitelist: { key: 'domains.spf-too-many', params: { max: 1000 } } })
  })

  test('that is kept is kept as it is when it comes again', () => {
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
          const { spfWhitelist, errors } = checkDomainConfig({ spf_whitelist: sent })
          if (Object.keys(errors).length > 0) return
          expect(checkDomainConfig({ spf_whitelist: spfWhitelist })).toEqual({ spfWhitelist, errors: {} })
        },
      ),
    )
  })
})

test('a key that there is not is an error of that key, and does not stop the others from being checked', () => {
  const { errors } = checkDomainConfig({ colour: 'red', __proto__x: 1, spf_whitelist: ['bad'] })
  expect(Object.keys(errors).sort()).toEqual(['colour', 'input', 'spf_whitelist'])
})
