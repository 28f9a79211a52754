import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { useLanguage, useT } from '../../i18n/i18n.ts'
import { callHtml } from '../../platform/api/api.ts'
import { showErrorPage, showStatusPage } from '../../platform/error-page-store.ts'
import { scrollToAnchor } from '../../platform/navigation/internal-links.ts'
import { menuEntryAt } from '../../platform/navigation/menu.ts'
import { useFocusWhenReady } from '../../platform/navigation/screen-focus.ts'
import { useLocation } from '../../router/router-context.tsx'
import { useDocumentTitle } from '../../ui/page/document-title.ts'
import { Loading, Skeleton } from '../../ui/page/skeleton.tsx'
import { arrangeContent } from './arrange-content.ts'
import { ContentHtml } from './content-html.tsx'
import { pageName } from './page-name.ts'

/** A page of the theme; unknown pages are not found. */
export function StaticPage() {
  const path = useLocation().pathname
  const name = pageName(path, menuEntryAt(path)?.page)
  useEffect(() => {
    if (!name) showStatusPage(404)
  }, [name])
  return name ? <ThemePage key={name} name={name} /> : null
}

function ThemePage({ name }: { name: string }) {
  const t = useT()
  const language = useLanguage()
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: ['page', name, language],
    queryFn: ({ signal }) => callHtml(`/content/page/${name}`, signal),
    // The old language stays until the new one is loaded.
    placeholderData: keepPreviousData,
  })
  const page = useMemo(() => (data === undefined ? undefined : arrangeContent(data)), [data])

  useEffect(() => {
    if (error) showErrorPage(error)
  }, [error])
  useDocumentTitle(page?.title || t('load.running'))
  useFocusWhenReady(page !== undefined)
  useAnchor(page !== undefined)

  return page ? <ContentHtml html={page.html} busy={isPlaceholderData} /> : <PageSkeleton />
}

/** Scrolls to the URL's anchor once the content is loaded. */
function useAnchor(ready: boolean): void {
  const hash = useLocation().hash
  useEffect(() => {
    if (ready && hash) scrollToAnchor(`#${hash}`)
  }, [ready, hash])
}

function PageSkeleton() {
  return (
    <Loading>
      <div className="page-skeleton">
        <Skeleton width="min(260px, 60%)" height={26} />
        <Skeleton width="min(420px, 80%)" height={14} />
        <div className="content-sheet">
          {[92, 78, 86, 64].map((width) => (
            <div className="content-section" key={width}>
              <Skeleton width="58%" />
              <div>
                <Skeleton />
                <Skeleton width={`${width}%`} />
              </div>
            </div>
          ))}
        </div>
      </div>
    </Loading>
  )
}
