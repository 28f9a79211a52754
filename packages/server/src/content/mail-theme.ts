import type { MailTheme } from '../platform/mailer/templates/mail-theme.ts'
import type { Theme } from './theme.ts'

export interface MailThemeOptions {
  /** Address of the portal, below which the theme's images are served as `/themes/<name>/images/…`. */
  publicUrl: string
  companyLine?: string | null | undefined
}

/** What the mails take from the theme. */
export function mailTheme(theme: Theme, { publicUrl, companyLine }: MailThemeOptions): MailTheme {
  const { colours, images, name } = theme
  return {
    colours: {
      accent: colours.accent,
      onAccent: colours['on-accent'],
      lintel: colours.lintel,
      onLintel: colours['on-lintel'],
    },
    markUrl: `${publicUrl.replace(/\/+$/, '')}/themes/${encodeURIComponent(name)}/${images.mailMark}`,
    companyLine: companyLine ?? undefined,
  }
}
