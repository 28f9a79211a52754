import { createElement } from 'react'
import type { MessageKey } from '../i18n/areas.ts'
import { useT } from '../i18n/i18n.ts'
import { screenOf } from '../platform/navigation/lazy-screen.ts'
import type { RouteEntry } from '../platform/navigation/route-entry.ts'
import { useFocusAfterNavigation } from '../platform/navigation/screen-focus.ts'
import { useLocation } from '../router/router-context.tsx'
import { useDocumentTitle } from '../ui/page/document-title.ts'
import { pageClass, useBodyClass } from './body-class.ts'

/** Wraps a routed screen: title, body class, and focus after navigation. */
export function RoutedScreen({ entry }: { entry: RouteEntry }) {
  const path = useLocation().pathname
  useBodyClass(pageClass(path))
  useFocusAfterNavigation(path)
  const Screen = screenOf(entry)
  return (
    <>
      <RouteTitle title={entry.title} />
      {Screen && createElement(Screen, { key: entry.path })}
    </>
  )
}

/** Rendered before the screen, so that the screen's own title takes precedence. */
function RouteTitle({ title }: { title: MessageKey }) {
  const t = useT()
  useDocumentTitle(t(title))
  return null
}
