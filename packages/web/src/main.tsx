import './ui/tokens.css'
import './ui/font.css'
import './ui/base.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { ForbiddenError, WrongRoleError } from './app/routes/guards.ts'
import { routeTable } from './app/routes/route-table.ts'
import { buildRouter, type RouterParts } from './app/routes/router.tsx'
import { RouteError } from './app/shell/route-error.tsx'
import { Shell } from './app/shell/shell.tsx'
import { wantMessages } from './i18n/i18n.ts'
import { startLanguage } from './i18n/switch-language.ts'
import { config, variant } from './platform/config.ts'
import { loadChunk } from './platform/navigation/chunks.ts'
import { setSections } from './platform/navigation/sections.ts'
import { startSession } from './platform/session/session.ts'
import { RouterView } from './router/router-context.tsx'
import { startColorScheme } from './ui/color-scheme.ts'
import { setAppName } from './ui/page/document-title.ts'
import { whileLoading } from './ui/page/page-loader.tsx'

startColorScheme()
setAppName(config['app.name'])

const parts = variant() === 'user' ? Promise.resolve({ routes: routeTable }) : openCockpit()
// The session may resume while the texts are loading.
const texts = startLanguage(config['app.theme'])
const ready = Promise.all([parts, texts]).then(() => whileLoading(startSession()))
const router = buildRouter(await parts, ready)
await texts

const container = document.getElementById('app')
if (container) {
  createRoot(container, { onCaughtError: logUnlessRefused }).render(
    <StrictMode>
      <RouterView router={router} Frame={Shell} Failed={RouteError} />
    </StrictMode>,
  )
}

/** Staff have their own screens and navigation, which users never load. */
async function openCockpit(): Promise<RouterParts> {
  wantMessages('cockpit')
  const cockpit = await loadChunk(() => import('./app/cockpit.ts'))
  setSections(cockpit.sectionsOf(variant()))
  return { routes: [...cockpit.cockpitRoutes, ...routeTable], admit: cockpit.admitStaff }
}

/** Skips refusals, which have an error page; anything else a screen throws is a bug. */
function logUnlessRefused(error: unknown): void {
  if (!(error instanceof ForbiddenError || error instanceof WrongRoleError)) console.error(error)
}
