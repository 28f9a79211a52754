import { useInternalLinks } from '../../platform/navigation/internal-links.ts'
import '../../ui/buttons/button.css'
import '../../ui/page/panel.css'
import './content.css'

/** HTML of a theme's page, as the server has cleaned it. The only place that puts such HTML on a screen. */
export function ContentHtml({ html, busy }: { html: string; busy: boolean }) {
  const onClick = useInternalLinks()
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a key on a link arrives as a click
    <article
      className="content"
      aria-busy={busy || undefined}
      onClick={onClick}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: the server has taken out what could run
      dangerouslySetInnerHTML={{ __html: html }}
    />
  )
}
