import { type Language, locales } from '@gatehouse/contract/language'
import type { MessageKey } from '../../i18n/areas.ts'
import { t } from '../../i18n/i18n.ts'

/** All countries and territories of ISO 3166-1, by continent. Browsers provide no continent names. */
const continents: readonly (readonly [name: MessageKey, codes: string])[] = [
  [
    'countries.europe',
    'AD AL AT AX BA BE BG BY CH CY CZ DE DK EE ES FI FO FR GB GG GI GR HR HU IE IM IS IT JE LI LT LU LV MC MD ME MK MT NL NO PL PT RO RS RU SE SI SJ SK SM UA VA',
  ],
  [
    'countries.africa',
    'AO BF BI BJ BW CD CF CG CI CM CV DJ DZ EG EH ER ET GA GH GM GN GQ GW IO KE KM LR LS LY MA MG ML MR MU MW MZ NA NE NG RE RW SC SD SH SL SN SO SS ST SZ TD TF TG TN TZ UG YT ZA ZM ZW',
  ],
  [
    'countries.america',
    'AG AI AR AW BB BL BM BO BQ BR BS BV BZ CA CL CO CR CU CW DM DO EC FK GD GF GL GP GS GT GY HN HT JM KN KY LC MF MQ MS MX NI PA PE PM PR PY SR SV SX TC TT US UY VC VE VG VI',
  ],
  [
    'countries.asia',
    'AE AF AM AZ BD BH BN BT CN GE HK ID IL IN IQ IR JO JP KG KH KP KR KW KZ LA LB LK MM MN MO MV MY NP OM PH PK PS QA SA SG SY TH TJ TL TM TR TW UZ VN YE',
  ],
  [
    'countries.oceania',
    'AS AU CC CK CX FJ FM GU HM KI MH MP NC NF NR NU NZ PF PG PN PW SB TK TO TV UM VU WF WS',
  ],
  ['countries.antarctica', 'AQ'],
]

export interface Country {
  /** ISO 3166-1, two letters. */
  code: string
  name: string
}

export interface CountryGroup {
  name: string
  countries: readonly Country[]
}

/** Returns a country's name in a language; the code itself if it has none. */
export function regionName(code: string, language: Language): string {
  try {
    return new Intl.DisplayNames(locales[language], { type: 'region' }).of(code) ?? code
  } catch {
    return code
  }
}

/** Returns sorted country names as part of a sentence. */
export function countryNames(codes: readonly string[], language: Language): string {
  const names = codes.map((code) => regionName(code, language))
  return names.sort(new Intl.Collator(locales[language]).compare).join(', ')
}

/** Returns all countries by continent, each group sorted by the language. */
export function countriesByContinent(language: Language): readonly CountryGroup[] {
  const collator = new Intl.Collator(locales[language])
  const names = new Intl.DisplayNames(locales[language], { type: 'region' })
  return continents.map(([continent, codes]) => ({
    name: t(continent),
    countries: codes
      .split(' ')
      .map((code) => ({ code, name: names.of(code) ?? code }))
      .sort((left, right) => collator.compare(left.name, right.name)),
  }))
}

/** Returns all countries by first letter, ignoring accents. */
export function countriesByLetter(language: Language): readonly CountryGroup[] {
  const collator = new Intl.Collator(locales[language])
  const groups = new Map<string, Country[]>()
  const all = countriesByContinent(language).flatMap((group) => group.countries)
  for (const country of all.sort((left, right) => collator.compare(left.name, right.name))) {
    const letter = plain(country.name).charAt(0).toUpperCase()
    groups.set(letter, [...(groups.get(letter) ?? []), country])
  }
  return [...groups].map(([name, countries]) => ({ name, countries }))
}

/** Returns the countries whose name or code contains the search words, ignoring case and accents. */
export function searchCountries(groups: readonly CountryGroup[], search: string): readonly CountryGroup[] {
  const wanted = plain(search.trim())
  if (!wanted) return groups
  return groups
    .map(({ name, countries }) => ({
      name,
      countries: countries.filter(
        (country) => plain(country.name).includes(wanted) || country.code.toLowerCase() === wanted,
      ),
    }))
    .filter(({ countries }) => countries.length > 0)
}

function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}
