import { NewObjectForm, useNewObject } from '../../domain/directory/new-object.tsx'
import { ResourceFields } from '../../domain/new-objects/resource-fields.tsx'
import { call } from '../../platform/api/api.ts'

/** The form of a new resource. */
export function NewResource({ domains }: { domains: readonly string[] }) {
  const form = useNewObject('resource', {
    initial: { name: '', domain: domains[0] ?? '' },
    create: ({ name, domain }) =>
      call('POST /api/v4/resources', { body: { name: name.trim() || null, domain: domain || null } }),
  })
  return (
    <NewObjectForm kind="resource" form={form}>
      <ResourceFields name={form.field('name')} domain={form.field('domain')} domains={domains} />
    </NewObjectForm>
  )
}
