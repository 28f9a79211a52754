import '../ui/tokens.css'
import '../ui/font.css'
import '../ui/base.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { wantMessages } from '../i18n/i18n.ts'
import { startLanguage } from '../i18n/switch-language.ts'
import { config } from '../platform/config.ts'
import { startColorScheme } from '../ui/color-scheme.ts'
import { setAppName } from '../ui/page/document-title.ts'
import { CompanionApp } from './companion-app.tsx'
import { startWorker } from './push.ts'

startColorScheme()
setAppName(config['app.name'])
wantMessages('companionapp')
await startLanguage(config['app.theme'])

const container = document.getElementById('app')
if (container) {
  createRoot(container).render(
    <StrictMode>
      <CompanionApp />
    </StrictMode>,
  )
}
startWorker().catch(() => {
  // optional: without it the page doesn't work offline
})
