import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core'

/** Ten steps of the accent: index 7 is the accent of the light scheme, index 4 that of the dark one. */
const petrol: MantineColorsTuple = [
  '#e0eff0',
  '#c3dfe2',
  '#9fced4',
  '#79cad3',
  '#58b9c4',
  '#2f97a4',
  '#177987',
  '#0a6270',
  '#074d58',
  '#053b44',
]

/** Mantine in the clothes of the house; every colour comes from tokens.css. */
export const mantineTheme = createTheme({
  fontFamily: 'var(--font)',
  fontFamilyMonospace: 'var(--font-mono)',
  fontSizes: {
    xs: 'var(--fs-xs)',
    sm: 'var(--fs-sm)',
    md: 'var(--fs-md)',
    lg: 'var(--fs-lg)',
    xl: 'var(--fs-xl)',
  },
  spacing: { xs: '4px', sm: '8px', md: '12px', lg: '16px', xl: '24px' },
  radius: { sm: 'var(--r-sm)', md: 'var(--r)', lg: 'var(--r-lg)' },
  defaultRadius: 'md',
  breakpoints: { xs: '36em', sm: '760px', md: '1020px', lg: '75em', xl: '88em' },
  colors: { petrol },
  primaryColor: 'petrol',
  primaryShade: { light: 7, dark: 4 },
  autoContrast: true,
  cursorType: 'pointer',
  respectReducedMotion: true,
})

/** Lays Mantine's variables over our tokens, so that both schemes and every theme reach its components. */
export const tokenVariables: CSSVariablesResolver = () => {
  const shared = {
    '--mantine-color-body': 'var(--bg)',
    '--mantine-color-text': 'var(--ink)',
    '--mantine-color-dimmed': 'var(--ink-3)',
    '--mantine-color-default': 'var(--surface)',
    '--mantine-color-default-color': 'var(--ink)',
    '--mantine-color-default-border': 'var(--line-strong)',
    '--mantine-color-default-hover': 'var(--surface-2)',
    '--mantine-color-placeholder': 'var(--ink-3)',
    '--mantine-color-anchor': 'var(--accent)',
    '--mantine-color-error': 'var(--danger)',
    '--mantine-primary-color-filled': 'var(--accent)',
    '--mantine-primary-color-filled-hover': 'var(--accent-hover)',
    '--mantine-primary-color-light': 'var(--accent-soft)',
    '--mantine-primary-color-light-color': 'var(--accent-ink)',
    '--mantine-primary-color-contrast': 'var(--on-accent)',
  }
  return { variables: {}, light: shared, dark: shared }
}
