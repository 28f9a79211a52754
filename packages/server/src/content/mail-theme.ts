import type { MailTheme } from '../platform/mailer/templates/mail-theme.ts'
import type { Theme } from './theme.ts'

export interface MailThemeOptions {
  /** The portal's URL. Theme images are served below it as `/themes/<name>/images/…`. */
  publicUrl: string
  companyLine?: string | null | undefined
}

/** Returns the parts of a theme that e-mails use. */
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
