import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useEffect } from 'react'
import { ApiError } from '../../app/api-error.ts'
import { showErrorPage, showStatusPage } from '../../app/error-page-store.ts'
import { useFocusWhenReady } from '../../app/screen-focus.ts'
import { useT } from '../../i18n/i18n.ts'
import { LoadFailed } from '../../ui/load-failed.tsx'
import { ObjectSkeleton } from '../../ui/object-skeleton.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { domainQuery } from './domain-calls.ts'
import { DomainScreen } from './domain-screen.tsx'
import { NewDomainPage } from './new-domain-page.tsx'
import { untilNextLook } from './records/record-state.ts'

/** The page of one domain, or that of a domain that is still to be added. */
export function DomainPage() {
  const { domain = '' } = useParams({ strict: false })
  if (domain === 'new') return <NewDomainPage />
  return /^[1-9]\d{0,9}$/.test(domain) ? <LoadedDomain key={domain} id={domain} /> : <Missing />
}

function Missing() {
  useEffect(() => showStatusPage(404), [])
  return null
}

function LoadedDomain({ id }: { id: string }) {
  const t = useT()
  const query = useQuery({
    ...domainQuery(id),
    // What is found in the background shows without anybody asking.
    refetchInterval: ({ state }) => (state.data ? untilNextLook(state.data.dnsReport, new Date()) : false),
  })
  const refused = query.error instanceof ApiError && [403, 404].includes(query.error.status)
  useFocusWhenReady(query.data !== undefined)
  useEffect(() => {
    if (refused) showErrorPage(query.error)
  }, [refused, query.error])

  if (refused) return null
  if (query.data) return <DomainScreen domain={query.data} />
  if (!query.isError) return <ObjectSkeleton title={t('title.domain')} />
  return (
    <>
      <PageHead title={t('title.domain')} trail={[{ label: t('section.domains'), to: '/domains' }]} />
      <LoadFailed onRetry={query.refetch} />
    </>
  )
}
