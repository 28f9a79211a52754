import { useQueryClient } from '@tanstack/react-query'
import { useRevisedForm } from '../../../domain/revised-form/use-revised-form.ts'
import { t } from '../../../i18n/i18n.ts'
import { ApiError } from '../../../platform/api/api-error.ts'
import { toasts } from '../../../ui/toasts/store.ts'
import { type Catalogue, catalogueQuery } from './catalogue-query.ts'

export interface CatalogueFormOptions<D, V> {
  tenant: number
  detail: D
  /** Returns the catalogue's items of this kind. */
  list: (catalogue: Catalogue) => readonly D[]
  valuesOf: (detail: D) => V
  /** Sends the complete item. */
  send: (values: V, revision: string | null) => Promise<{ message: string }>
}

/** Form of a catalogue item that others may change too. */
export function useCatalogueForm<D extends { id: string; revision: string }, V extends object>(
  options: CatalogueFormOptions<D, V>,
) {
  const { tenant, detail, list, valuesOf, send } = options
  const client = useQueryClient()
  const reread = async () => {
    const fresh = list(await client.fetchQuery({ ...catalogueQuery(tenant), staleTime: 0 }))
    const found = fresh.find(({ id }) => id === detail.id)
    if (!found) throw new ApiError(t('error.404'), { status: 404 })
    return found
  }
  return useRevisedForm<D, V>({
    detail,
    valuesOf,
    reread,
    save: async (changes, revision) => {
      // the server expects the complete item, so only fields changed here are overwritten
      const base = valuesOf(revision === null ? await reread() : detail)
      const { message } = await send({ ...base, ...changes }, revision)
      toasts.success(message)
    },
  })
}
