/** A colour for the light and the dark scheme, as `#rrggbb`. */
export interface ColourPair {
  light: string
  dark: string
}

/** The parts of a theme that e-mails use. */
export interface MailTheme {
  colours: {
    accent: ColourPair
    onAccent: ColourPair
    lintel: ColourPair
    onLintel: ColourPair
  }
  /** URL of the logo as PNG, since mail clients don't show SVG. The site name is always shown next to it. */
  markUrl?: string | undefined
  /** The operating company, for the footer; may have several lines. */
  companyLine?: string | undefined
}

/** Neutral colours of the design; themes don't change them. */
export const neutral = {
  page: { light: '#f3f5f3', dark: '#0e1413' },
  surface: { light: '#ffffff', dark: '#151d1b' },
  well: { light: '#e9edea', dark: '#25312e' },
  line: { light: '#dde2de', dark: '#283330' },
  ink: { light: '#15201e', dark: '#e8edeb' },
  quiet: { light: '#5c6864', dark: '#98a49f' },
} satisfies Record<string, ColourPair>
