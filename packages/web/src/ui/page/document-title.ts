import { useLayoutEffect } from 'react'

let appName = ''

/** Sets the name appended to every screen's title. */
export function setAppName(name: string): void {
  appName = name
}

/** Sets the document title to "<screen> · <application>" while mounted. */
export function useDocumentTitle(screen: string): void {
  useLayoutEffect(() => {
    document.title = screen ? `${screen} · ${appName}` : appName
  }, [screen])
}
