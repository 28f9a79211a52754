import { useQuery } from '@tanstack/react-query'
import { objectQuery } from '../../domain/directory/kind-calls.ts'
import { ObjectLoader, ObjectRoute } from '../../domain/directory/object-loader.tsx'
import { SaveScope } from '../../ui/form/save-scope.tsx'
import { DomainScreen } from './domain-screen.tsx'
import { NewDomainPage } from './new-domain-page.tsx'
import { untilNextLook } from './records/record-state.ts'

/** Page of a domain, or of a new one. */
export function DomainPage() {
  return <ObjectRoute new={() => <NewDomainPage />} object={(id) => <LoadedDomain key={id} id={id} />} />
}

function LoadedDomain({ id }: { id: string }) {
  const query = useQuery({
    ...objectQuery('domain', id),
    // Shows results of background checks without user action.
    refetchInterval: ({ state }) => (state.data ? untilNextLook(state.data.dnsReport, new Date()) : false),
  })
  return (
    <SaveScope>
      <ObjectLoader query={query}>{(domain) => <DomainScreen domain={domain} />}</ObjectLoader>
    </SaveScope>
  )
}
