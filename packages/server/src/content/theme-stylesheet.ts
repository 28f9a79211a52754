import type { Theme } from './theme.ts'

/**
 * The theme's colours as a style sheet of CSS variables, to be served after the look's own: light, dark
 * by preference, dark by choice.
 */
export function themeStylesheet({ colours }: Theme): string {
  const variables = (scheme: 'light' | 'dark'): string =>
    Object.entries(colours)
      .map(([name, pair]) => `--${name}:${pair[scheme]}`)
      .join(';')
  return `:root{${variables('light')}}
@media (prefers-color-scheme:dark){:root:not([data-theme="light"]){${variables('dark')}}}
:root[data-theme="dark"]{${variables('dark')}}
`
}
