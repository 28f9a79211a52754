import { type Language, locales } from '@gatehouse/contract/language'
import type { SelectOption } from '../../ui/fields/select.tsx'

/** Configured countries, named and sorted in a language. */
export function countryOptions(
  countries: Readonly<Record<string, readonly [currency: string, name: string]>>,
  language: Language,
): SelectOption[] {
  const names = new Intl.DisplayNames(locales[language], { type: 'region', fallback: 'none' })
  const collator = new Intl.Collator(locales[language])
  return Object.entries(countries)
    .map(([code, [, name]]) => ({ value: code, label: names.of(code) ?? name }))
    .sort((left, right) => collator.compare(left.label, right.label))
}
