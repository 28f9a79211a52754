import { displayDomain } from '@gatehouse/contract/canonical-address'
import type { GroupDetail } from '@gatehouse/contract/directory/groups'
import { AddressList } from '../../domain/address-list/address-list.tsx'
import type { FieldLabels } from '../../domain/directory/labels.ts'
import { ObjectPage } from '../../domain/directory/object-page.tsx'
import { ObjectScreen } from '../../domain/directory/object-screen.tsx'
import { useOwnDomains } from '../../domain/domain-select/use-own-domains.ts'
import { number } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { FormSection } from '../../ui/form/form-section.tsx'
import { NewDistlist } from './new-distlist.tsx'
import { accessLabels, accessOf } from './sender-access.ts'
import { SendersSection } from './senders-section.tsx'
import { useListForm } from './use-list-form.ts'

/** Labels of a list's fields, in form order. */
const labels: FieldLabels = {
  name: 'words.name',
  email: 'words.address',
  members: 'words.members',
  access: 'distlists.allowed',
  sender_policy: 'words.allowedSenders',
  members_may_send: 'distlists.membersToo',
}

/** Page of a distribution list, or of a new one. */
export function DistlistPage() {
  return (
    <ObjectPage
      kind="group"
      form={(domains) => <NewDistlist domains={domains} />}
      screen={(list) => <DistlistScreen list={list} />}
    />
  )
}

/** A distribution list: name and members, permitted senders, activity. */
function DistlistScreen({ list }: { list: GroupDetail }) {
  const t = useT()
  const { confirmed, isError } = useOwnDomains()
  const domains = confirmed ?? (isError ? [] : undefined)
  const edit = useListForm(list, domains ?? [])
  const count = { count: list.members.length, number: number(list.members.length) }
  return (
    <ObjectScreen
      kind="group"
      object={list}
      edit={edit}
      name={edit.form.field('name')}
      labels={labels}
      facts={[t('distlists.memberCount', count)]}
      glance={[
        { label: t('words.members'), value: count.number },
        ...(domains
          ? [{ label: t('distlists.allowed'), value: t(accessLabels[accessOf(list.config, domains)]) }]
          : []),
      ]}
      loss={t('distlists.deleteGoes', count)}
      sections={
        <>
          <FormSection title={t('words.members')} hint={t('distlists.membersHint')}>
            <AddressList
              {...edit.form.list('members')}
              label={t('words.members')}
              hint={t('distlists.pasteHint')}
              placeholder={t('distlists.memberExample', {
                domain: displayDomain(list.email.split('@')[1] ?? ''),
              })}
              disabled={!list.canUpdate}
              suggest
            />
          </FormSection>
          {list.canConfigure && <SendersSection list={list} form={edit.form} domains={domains} />}
        </>
      }
    />
  )
}
