import type { DirectoryKind } from '@gatehouse/contract/directory/kinds'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { SaveScope } from '../../ui/form/save-scope.tsx'
import { type Detail, objectQuery } from './kind-calls.ts'
import { NewObjectPage } from './new-object.tsx'
import { ObjectLoader, ObjectRoute } from './object-loader.tsx'

export interface ObjectPageProps<K extends DirectoryKind> {
  kind: K
  /** The creation form, given the available domains. */
  form: (domains: readonly string[]) => ReactNode
  screen: (object: Detail<K>) => ReactNode
}

/** The page of an object, or of a new one. */
export function ObjectPage<K extends DirectoryKind>({ kind, form, screen }: ObjectPageProps<K>) {
  return (
    <ObjectRoute
      new={() => <NewObjectPage kind={kind}>{form}</NewObjectPage>}
      object={(id) => <Loaded key={id} id={id} kind={kind} screen={screen} />}
    />
  )
}

interface LoadedProps<K extends DirectoryKind> extends Pick<ObjectPageProps<K>, 'kind' | 'screen'> {
  id: string
}

function Loaded<K extends DirectoryKind>({ kind, id, screen }: LoadedProps<K>) {
  const query = useQuery(objectQuery(kind, id))
  return (
    <SaveScope>
      <ObjectLoader query={query}>{screen}</ObjectLoader>
    </SaveScope>
  )
}
