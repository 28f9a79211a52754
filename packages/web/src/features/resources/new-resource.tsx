import { call } from '../../app/api/api.ts'
import { NewObjectForm, useNewObject } from '../../ui/directory/new-object.tsx'
import { ResourceFields } from '../../ui/new-objects/resource-fields.tsx'
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
