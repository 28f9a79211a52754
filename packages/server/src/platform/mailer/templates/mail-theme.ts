/** A colour in the light and in the dark scheme, as `#rrggbb`. */
export interface ColourPair {
  light: string
  dark: string
}

/** What a theme gives to the mails. */
export interface MailTheme {
  colours: {
    accent: ColourPair
    onAccent: ColourPair
    lintel: ColourPair
    onLintel: ColourPair
  }
  /** Address of the mark as PNG; mail programs do not show SVG. The name of the site always stands beside it. */
  markUrl?: string | undefined
  /** Who runs the service, for the foot of the mail; may have several lines. */
  companyLine?: string | undefined
}

/** The neutral colours of the look; a theme does not change them. */
export const neutral = {
  page: { light: '#f3f5f3', dark: '#0e1413' },
  surface: { light: '#ffffff', dark: '#151d1b' },
  well: { light: '#e9edea', dark: '#25312e' },
  line: { light: '#dde2de', dark: '#283330' },
  ink: { light: '#15201e', dark: '#e8edeb' },
  quiet: { light: '#5c6864', dark: '#98a49f' },
} satisfies Record<string, ColourPair>
