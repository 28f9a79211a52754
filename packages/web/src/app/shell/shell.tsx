import type { MouseEvent, ReactNode } from 'react'
import { useT } from '../../i18n/i18n.ts'
import { basePath, config } from '../../platform/config.ts'
import { errorPage } from '../../platform/error-page-store.ts'
import { openSupport, supportPath } from '../../platform/navigation/support.ts'
import { useIsPending } from '../../router/router-context.tsx'
import { useStore } from '../../state/store.ts'
import { PageLoader, useLoading } from '../../ui/page/page-loader.tsx'
import { ToastViewport } from '../../ui/toasts/viewport.tsx'
import { DegradedBanner } from './degraded-banner.tsx'
import { ErrorPage } from './error-page.tsx'
import { FaqSlot } from './faq-slot.tsx'
import { Footer } from './footer.tsx'
import { Header } from './header.tsx'
import { ImpersonationSlot } from './impersonation-slot.tsx'
import { PaletteSlot } from './palette-slot.tsx'
import { loadAnew } from './route-error.tsx'
import { Sections } from './sections.tsx'
import { StepUpSlot } from './step-up-slot.tsx'
import { SupportSlot } from './support-slot.tsx'
import './shell.css'

/** What persists across screens: header, sections, banner, footer, and overlays. */
export function Shell({ children }: { children: ReactNode }) {
  const t = useT()
  const error = useStore(errorPage)
  const pending = useIsPending()
  useLoading(pending)

  const skip = (event: MouseEvent) => {
    event.preventDefault()
    document.querySelector('main')?.focus()
  }

  return (
    <div className="shell" onClickCapture={catchSupportLink}>
      {/* biome-ignore lint/a11y/useValidAnchor: a hash would become a navigation of the router */}
      <a className="skip-link" href="#main" onClick={skip}>
        {t('shell.skip')}
      </a>
      <Header />
      <PageLoader />
      <ImpersonationSlot />
      <DegradedBanner />
      <Sections />
      <main className="page" id="main" tabIndex={-1} aria-busy={pending || undefined}>
        {error ? <ErrorPage error={error} onRetry={error.code >= 500 ? loadAnew : undefined} /> : children}
        {!error && <FaqSlot />}
      </main>
      <Footer name={config['app.name']} />
      <SupportSlot />
      <PaletteSlot />
      <StepUpSlot />
      <ToastViewport />
    </div>
  )
}

/**
 * Makes links to the contact form open the dialog, wherever they are: in a menu, a static page or an e-mail.
 */
function catchSupportLink(event: MouseEvent): void {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
  const link = event.target instanceof Element ? event.target.closest('a') : null
  if (!link || link.target || link.origin !== window.location.origin) return
  if (link.pathname !== basePath() + supportPath) return
  event.preventDefault()
  event.stopPropagation()
  openSupport()
}
