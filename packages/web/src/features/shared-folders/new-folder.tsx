import { DeletedAddressDialog } from '../../domain/deleted-address/deleted-address-dialog.tsx'
import { useDeletedAddress } from '../../domain/deleted-address/use-deleted-address.ts'
import { offeredTypes } from '../../domain/directory/folder-types.ts'
import { NewObjectForm, useNewObject } from '../../domain/directory/new-object.tsx'
import { FolderFields } from '../../domain/new-objects/folder-fields.tsx'
import { call } from '../../platform/api/api.ts'

/** The form of a new shared folder. */
export function NewFolder({ domains }: { domains: readonly string[] }) {
  const types = offeredTypes()
  const offer = useDeletedAddress()
  const form = useNewObject('shared-folder', {
    initial: { name: '', type: types[0] ?? 'mail', domain: domains[0] ?? '', aliases: [] as string[] },
    create: ({ name, type, domain, aliases }) => {
      const body = {
        name: name.trim() || null,
        type,
        domain: domain || null,
        // Only mail folders have aliases; those typed before the type was changed are not sent.
        aliases: type === 'mail' ? aliases : [],
      }
      return offer.guarded({ aliases: body.aliases }, () => call('POST /api/v4/shared-folders', { body }))
    },
  })
  return (
    <NewObjectForm kind="shared-folder" form={form}>
      <DeletedAddressDialog offer={offer} onReleased={() => form.submit()} />
      <FolderFields
        name={form.field('name')}
        domain={form.field('domain')}
        domains={domains}
        type={{
          value: form.values.type,
          onValue: (type) => form.set('type', type),
          error: form.errors.type,
        }}
        aliases={form.list('aliases')}
      />
    </NewObjectForm>
  )
}
