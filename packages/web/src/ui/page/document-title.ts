import { useLayoutEffect } from 'react'

let appName = ''

/** Sets the name that stands behind the title of every screen. */
export function setAppName(name: string): void {
  appName = name
}

/** Names the document "<screen> · <application>" while the component is shown. */
export function useDocumentTitle(screen: string): void {
  useLayoutEffect(() => {
    document.title = screen ? `${screen} · ${appName}` : appName
  }, [screen])
}
