import { DeletedAddressDialog } from '../../domain/deleted-address/deleted-address-dialog.tsx'
import { useDeletedAddress } from '../../domain/deleted-address/use-deleted-address.ts'
import { NewObjectForm, useNewObject } from '../../domain/directory/new-object.tsx'
import { fullAddress } from '../../domain/domain-select/full-address.ts'
import { DistlistFields } from '../../domain/new-objects/distlist-fields.tsx'
import { call } from '../../platform/api/api.ts'

/** The form of a new distribution list. */
export function NewDistlist({ domains }: { domains: readonly string[] }) {
  const offer = useDeletedAddress()
  const form = useNewObject('group', {
    initial: { name: '', email: '', domain: domains[0] ?? '', members: [] as string[] },
    create: ({ name, email, domain, members }) => {
      const address = fullAddress(email, domain)
      const body = { name: name.trim() || null, email: address || null, members }
      return offer.guarded({ email: address }, () => call('POST /api/v4/groups', { body }))
    },
  })
  return (
    <NewObjectForm kind="group" form={form}>
      <DeletedAddressDialog offer={offer} onReleased={() => form.submit()} />
      <DistlistFields
        name={form.field('name')}
        local={form.field('email')}
        domain={form.field('domain')}
        domains={domains}
        members={form.list('members')}
        suggest
      />
    </NewObjectForm>
  )
}
