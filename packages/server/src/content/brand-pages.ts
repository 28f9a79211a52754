import type { Brand } from '../tenants/brand.ts'
import type { ContentConfig } from './content-settings.ts'
import { pageValues } from './page-host.ts'
import { createPages, type Pages } from './pages.ts'
import { type Theme, themeOf } from './theme.ts'

/** Maximum number of cached brands. Every change to a tenant's settings produces a new brand. */
const most = 200

/** The content pages of each brand, rendered with its theme, name and addresses. */
export class BrandPages {
  readonly #config: ContentConfig
  readonly #themes: ReadonlyMap<string, Theme>
  readonly #known = new Map<string, Pages>()

  /** Throws ThemeError if a placeholder of any theme has no value. */
  constructor(config: ContentConfig, themes: ReadonlyMap<string, Theme>, own: Brand) {
    this.#config = config
    this.#themes = themes
    for (const theme of themes.keys()) this.of({ ...own, theme })
  }

  of(brand: Brand): Pages {
    const key = JSON.stringify(brand)
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const theme = themeOf(this.#themes, brand)
    const pages = createPages(theme, pageValues(this.#config, theme, brand))
    if (this.#known.size >= most) this.#known.clear()
    this.#known.set(key, pages)
    return pages
  }
}
