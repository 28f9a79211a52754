import { useInternalLinks } from '../../platform/navigation/internal-links.ts'
import '../../ui/buttons/button.css'
import '../../ui/page/panel.css'
import './content.css'

/** HTML of a theme's page, sanitized by the server. The only component that renders such HTML. */
export function ContentHtml({ html, busy }: { html: string; busy: boolean }) {
  const onClick = useInternalLinks()
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: pressing Enter on a link fires a click
    <article
      className="content"
      aria-busy={busy || undefined}
      onClick={onClick}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitized by the server
      dangerouslySetInnerHTML={{ __html: html }}
    />
  )
}
