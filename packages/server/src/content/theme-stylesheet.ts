import type { Theme } from './theme.ts'

/**
 * Returns the theme's colours as CSS variables for both colour schemes. Must be loaded after the default style
 * sheet.
 */
export function themeStylesheet({ colours }: Theme): string {
  const variables = Object.entries(colours).map(
    ([name, { light, dark }]) => `--${name}:light-dark(${light},${dark})`,
  )
  return `:root{${variables.join(';')}}\n`
}
