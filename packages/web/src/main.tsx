import './ui/tokens.css'
import './ui/font.css'
import './ui/base.css'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { config } from './app/config.ts'
import { ForbiddenError } from './app/guards.ts'
import { buildRouter } from './app/router.tsx'
import { startSession } from './app/session.ts'
import { startLanguage } from './i18n/switch-language.ts'
import { startColorScheme } from './ui/color-scheme.ts'
import { setAppName } from './ui/document-title.ts'
import { whileLoading } from './ui/page-loader.tsx'

startColorScheme()
setAppName(config['app.name'])

// The session may be resumed while the texts are on their way.
const texts = startLanguage(config['app.theme'])
const router = buildRouter(texts.then(() => whileLoading(startSession())))
await texts

const container = document.getElementById('app')
if (container) {
  createRoot(container, { onCaughtError: logUnlessRefused }).render(
    <StrictMode>
      <RouterProvider router={router} />
    </StrictMode>,
  )
}

/** A refusal of our own has its page already; anything else that a screen throws is a fault. */
function logUnlessRefused(error: unknown): void {
  if (!(error instanceof ForbiddenError)) console.error(error)
}
