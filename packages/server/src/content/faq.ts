import type { FaqEntry } from '@gatehouse/contract/content'
import type { Language } from '@gatehouse/contract/language'
import { type Theme, themeString } from './theme.ts'
import type { ThemeFaqLink } from './theme-schema.ts'

/**
 * Returns the FAQ entries of a page with titles in the given language. Returns an empty list for a page
 * without entries and undefined if no page was named.
 */
export function faqFor(theme: Theme, path: string, language: Language): FaqEntry[] | undefined {
  const segments = path
    .toLowerCase()
    .split('/')
    .filter((segment) => segment !== '')
  if (segments.length === 0) return undefined
  return linksFor(theme, segments).map(({ label, href }) => ({
    href,
    label,
    title: themeString(theme, `faq.${label}`, language) ?? label,
  }))
}

function linksFor({ faq }: Theme, segments: readonly string[]): readonly ThemeFaqLink[] {
  const path = `/${segments.join('/')}`
  // A path may contain an asterisk, which must not select the pattern with the same text.
  if (Object.hasOwn(faq, path) && !path.includes('*')) return faq[path] ?? []
  for (const [pattern, links] of Object.entries(faq)) {
    if (pattern.includes('*') && matches(pattern.slice(1).split('/'), segments)) return links
  }
  return []
}

/** `*` matches one segment, a trailing `**` one or more. */
function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  const open = pattern.at(-1) === '**'
  if (open ? segments.length < pattern.length : segments.length !== pattern.length) return false
  return pattern.every((part, index) => part === '*' || part === '**' || part === segments[index])
}
