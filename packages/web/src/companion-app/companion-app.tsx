import { useState } from 'react'
import { useT } from '../i18n/i18n.ts'
import { config } from '../platform/config.ts'
import { useStore } from '../state/store.ts'
import { useDocumentTitle } from '../ui/page/document-title.ts'
import { ToastViewport } from '../ui/toasts/viewport.tsx'
import { isPaired } from './device-session.ts'
import { Home } from './home.tsx'
import { PairScreen } from './pair-screen.tsx'
import { readPairingLink } from './pairing-link.ts'
import './companion-app.css'

/** The companion page: makes the browser a device that confirms sign-ins. */
export function CompanionApp() {
  const t = useT()
  const paired = useStore(isPaired, (value) => value)
  const [link, setLink] = useState(takeLink)
  useDocumentTitle(t('companionapp.title'))
  return (
    <>
      <header className="companion-head">
        <b>{config['app.name']}</b>
        <span>{t('companionapp.title')}</span>
      </header>
      <main className="companion-main">
        {paired ? <Home /> : <PairScreen link={link} onLinkUsed={() => setLink(undefined)} />}
      </main>
      <ToastViewport />
    </>
  )
}

/** Removes the secret from the URL, so that it doesn't stay in the browser history. */
function takeLink() {
  const link = readPairingLink(window.location.hash)
  if (link) window.history.replaceState(null, '', window.location.pathname)
  return link
}
