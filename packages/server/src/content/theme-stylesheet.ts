import type { Theme } from './theme.ts'

/** The theme's colours as a style sheet of CSS variables, each for both schemes, to be served after the look's own. */
export function themeStylesheet({ colours }: Theme): string {
  const variables = Object.entries(colours).map(
    ([name, { light, dark }]) => `--${name}:light-dark(${light},${dark})`,
  )
  return `:root{${variables.join(';')}}\n`
}
