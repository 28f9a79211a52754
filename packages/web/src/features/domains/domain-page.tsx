import { useQuery } from '@tanstack/react-query'
import { objectQuery } from '../../domain/directory/kind-calls.ts'
import { ObjectLoader, ObjectRoute } from '../../domain/directory/object-loader.tsx'
import { SaveScope } from '../../ui/form/save-scope.tsx'
import { DomainScreen } from './domain-screen.tsx'
import { NewDomainPage } from './new-domain-page.tsx'
import { untilNextLook } from './records/record-state.ts'

/** The page of one domain, or that of a domain that is still to be added. */
export function DomainPage() {
  return <ObjectRoute new={() => <NewDomainPage />} object={(id) => <LoadedDomain key={id} id={id} />} />
}

function LoadedDomain({ id }: { id: string }) {
  const query = useQuery({
    ...objectQuery('domain', id),
    // What is found in the background shows without anybody asking.
    refetchInterval: ({ state }) => (state.data ? untilNextLook(state.data.dnsReport, new Date()) : false),
  })
  return (
    <SaveScope>
      <ObjectLoader query={query}>{(domain) => <DomainScreen domain={domain} />}</ObjectLoader>
    </SaveScope>
  )
}
