import type { Language } from '@gatehouse/contract/language'
import { cleanHtml } from '../platform/clean-html.ts'
import { fillTemplate, type TemplateValues, templateNames } from './page-template.ts'
import type { Theme } from './theme.ts'
import { ThemeError } from './theme-error.ts'

export interface Pages {
  /**
   * Returns a content page as an HTML fragment in the given language or in English. Undefined if it does not
   * exist.
   */
  render(name: string, language: Language): string | undefined
}

/**
 * The content pages of a theme, rendered with the installation's values. Names are looked up among the pages
 * that were read at startup, so no name reaches the file system.
 */
export function createPages(theme: Theme, values: TemplateValues): Pages {
  checkPlaceholders(theme, values)
  const rendered = new Map<string, string>()
  return {
    render(requested, language) {
      const name = requested.toLowerCase()
      const page = /^[a-z0-9/]+$/.test(name) ? theme.pages.get(name) : undefined
      if (!page) return undefined
      const key = `${language}:${name}`
      let html = rendered.get(key)
      if (html === undefined) {
        html = cleanHtml(fillTemplate(page.templates.get(language) ?? page.english, values))
        rendered.set(key, html)
      }
      return html
    },
  }
}

function checkPlaceholders({ pages }: Theme, values: TemplateValues): void {
  for (const [name, { templates }] of pages) {
    for (const [language, template] of templates) {
      const unknown = [...templateNames(template)].find((placeholder) => !Object.hasOwn(values, placeholder))
      if (unknown) throw new ThemeError(`pages/${name}.${language}.html`, `{{${unknown}}}`, 'has no value')
    }
  }
}
