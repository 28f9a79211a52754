import type { Brand } from '../tenants/brand.ts'
import type { ContentConfig } from './content-settings.ts'
import { pageValues } from './page-host.ts'
import { createPages, type Pages } from './pages.ts'
import { type Theme, themeOf } from './theme.ts'

/** Brands whose pages are kept; settings of tenants change, and each change is another brand. */
const most = 200

/** The content pages of each brand: of its theme, with its name and addresses. */
export class BrandPages {
  readonly #config: ContentConfig
  readonly #themes: ReadonlyMap<string, Theme>
  readonly #known = new Map<string, Pages>()

  /** Throws ThemeError for a placeholder that has no value, in whatever theme. */
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
