import { displayAddress } from '@gatehouse/contract/canonical-address'
import type { FilePermission } from '@gatehouse/contract/files/file-shares'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { useQueryClient } from '@tanstack/react-query'
import { PersonField } from '../../../domain/suggest/person-field.tsx'
import { useT } from '../../../i18n/i18n.ts'
import { call } from '../../../platform/api/api.ts'
import { useApi } from '../../../platform/api/query.tsx'
import { useAct } from '../../../platform/api/use-act.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { CopyButton } from '../../../ui/buttons/copy-button.tsx'
import { Avatar } from '../../../ui/facts/avatar.tsx'
import { Select } from '../../../ui/fields/select.tsx'
import { useForm } from '../../../ui/form/use-form.ts'
import { LoadFailed } from '../../../ui/page/load-failed.tsx'
import { SkeletonRows } from '../../../ui/page/skeleton.tsx'
import { toasts } from '../../../ui/toasts/store.ts'
import { type ActedItem, forgetFiles, orForget } from '../calls.ts'

const rights = ['read-only', 'read-write'] as const

/** People an item is shared with, and a form to add more. */
export function PeopleSection({ item }: { item: ActedItem }) {
  const t = useT()
  const { data, isError, refetch } = useApi('GET /api/v4/fs/{id}/permissions', { params: { id: item.id } })
  return (
    <>
      <AddPerson item={item} besides={data?.list.map(({ user }) => user) ?? []} />
      {isError && <LoadFailed onRetry={refetch} />}
      {!data && !isError && <SkeletonRows count={2} />}
      {data?.list.length === 0 && <p className="text-3 small">{t('files.nobody')}</p>}
      {data && data.list.length > 0 && (
        <ul className="share-list" aria-label={t('words.people')}>
          {data.list.map((person) => (
            <PersonRow key={person.id} item={item} person={person} />
          ))}
        </ul>
      )}
    </>
  )
}

function useRightOptions() {
  const t = useT()
  return rights.map((value) => ({
    value,
    label: t(value === 'read-write' ? 'files.readWrite' : 'files.readOnly'),
  }))
}

function AddPerson({ item, besides }: { item: ActedItem; besides: readonly string[] }) {
  const t = useT()
  const act = useAct('POST /api/v4/fs/{id}/permissions', forgetFiles)
  const options = useRightOptions()
  const form = useForm<{ user: string; permissions: string }>({
    initial: { user: '', permissions: 'read-only' },
    prefix: 'share_',
    submit: async (body) => {
      await act({ params: { id: item.id }, body }, () =>
        form.reset({ user: '', permissions: body.permissions }),
      )
    },
  })
  return (
    <form {...form.props} className="share-add">
      <PersonField
        {...form.field('user')}
        label={t('words.emailAddress')}
        placeholder={t('files.addressExample')}
        besides={besides}
      />
      <Select {...form.field('permissions')} label={t('words.rights')} options={options} />
      <Button type="submit" icon={IconPlus} busy={form.busy}>
        {t('files.shareNow')}
      </Button>
    </form>
  )
}

function PersonRow({ item, person }: { item: ActedItem; person: FilePermission }) {
  const t = useT()
  const client = useQueryClient()
  const options = useRightOptions()
  const put = useAct('PUT /api/v4/fs/{id}/permissions/{permission}')
  const params = { id: item.id, permission: person.id }
  const change = async (permissions: string) => {
    try {
      await put({ params, body: { user: person.user, permissions } })
    } finally {
      await forgetFiles(client)
    }
  }
  const end = useAct('DELETE /api/v4/fs/{id}/permissions/{permission}', forgetFiles)
  const shareAgain = () => {
    const { user, permissions } = person
    return call('POST /api/v4/fs/{id}/permissions', { params: { id: item.id }, body: { user, permissions } })
  }
  const remove = () => orForget(client, () => end({ params }, { undo: shareAgain }))
  return (
    <li>
      <Avatar name="" email={person.user} />
      <span className="share-who">
        <bdi>{displayAddress(person.user)}</bdi>
      </span>
      <Select
        id={`share-${person.id}`}
        label={t('files.rightsOf', { name: person.user })}
        hideLabel
        options={options}
        value={person.permissions}
        onValue={(value) => void change(value).catch(() => undefined)}
      />
      <CopyButton
        compact
        text={person.link}
        label={t('files.copyLinkOf', { name: person.user })}
        copied={t('words.copied')}
        onRefused={() => toasts.info(person.link)}
      />
      <Button
        size="small"
        variant="quiet"
        icon={IconTrash}
        label={t('files.unshare', { name: person.user })}
        onPress={remove}
      />
    </li>
  )
}
