import type { FaqEntry } from '@gatehouse/contract/content'
import type { Language } from '@gatehouse/contract/language'
import { type Theme, themeString } from './theme.ts'
import type { ThemeFaqLink } from './theme-schema.ts'

/**
 * The questions that belong to a page, titled in the language. A page without questions has an empty
 * list; undefined means that no page was named.
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
  // A path may well contain a star; it must not pick the pattern of that name.
  if (Object.hasOwn(faq, path) && !path.includes('*')) return faq[path] ?? []
  for (const [pattern, links] of Object.entries(faq)) {
    if (pattern.includes('*') && matches(pattern.slice(1).split('/'), segments)) return links
  }
  return []
}

/** `*` stands for one segment, a closing `**` for one or more. */
function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  const open = pattern.at(-1) === '**'
  if (open ? segments.length < pattern.length : segments.length !== pattern.length) return false
  return pattern.every((part, index) => part === '*' || part === '**' || part === segments[index])
}
