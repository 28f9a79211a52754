import { NewObjectForm, useNewObject } from '../../domain/directory/new-object.tsx'
import { ResourceFields } from '../../domain/new-objects/resource-fields.tsx'
import { call } from '../../platform/api/api.ts'
import { resourceKind } from './resource-kind.ts'

/** The form of a new resource. */
export function NewResource({ domains }: { domains: readonly string[] }) {
  const form = useNewObject(resourceKind, {
    initial: { name: '', domain: domains[0] ?? '' },
    create: ({ name, domain }) =>
      call('POST /api/v4/resources', { body: { name: name.trim() || null, domain: domain || null } }),
  })
  return (
    <NewObjectForm kind={resourceKind} form={form}>
      <ResourceFields name={form.field('name')} domain={form.field('domain')} domains={domains} />
    </NewObjectForm>
  )
}
