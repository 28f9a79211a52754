import { displayAddress, displayDomain } from '@gatehouse/contract/canonical-address'
import type { GroupDetail } from '@gatehouse/contract/directory/groups'
import { AddressList } from '../../domain/address-list/address-list.tsx'
import type { FieldLabels } from '../../domain/directory/labels.ts'
import { ObjectPage } from '../../domain/directory/object-page.tsx'
import { ObjectScreen } from '../../domain/directory/object-screen.tsx'
import { sentText, useObjectForm } from '../../domain/directory/use-object-forms.ts'
import { number } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { FormSection } from '../../ui/form/form-section.tsx'
import { NewDistlist } from './new-distlist.tsx'
import { SettingsTab, useSenderForm } from './settings-tab.tsx'

/** Words for the fields of a list, in the order of its form. */
const labels: FieldLabels = {
  name: 'words.name',
  email: 'words.address',
  members: 'words.members',
  sender_policy: 'words.allowedSenders',
}

/** The page of one distribution list, or that of one that is still to be made. */
export function DistlistPage() {
  return (
    <ObjectPage
      kind="group"
      form={(domains) => <NewDistlist domains={domains} />}
      screen={(list) => <DistlistScreen list={list} />}
    />
  )
}

/** One distribution list: name and members, who may write to it, what happened. */
function DistlistScreen({ list }: { list: GroupDetail }) {
  const t = useT()
  const senders = useSenderForm(list)
  const edit = useObjectForm('group', list, {
    valuesOf: ({ name, members }) => ({ name, members: members.map(displayAddress) }),
    bodyOf: ({ name, members }) => ({ name: sentText(name), members }),
  })
  const count = { count: list.members.length, number: number(list.members.length) }
  return (
    <ObjectScreen
      kind="group"
      object={list}
      edit={edit}
      name={edit.form.field('name')}
      labels={labels}
      facts={[t('distlists.memberCount', count)]}
      glance={[{ label: t('words.members'), value: count.number }]}
      loss={t('distlists.deleteGoes', count)}
      settings={senders}
      settingsTab={() => <SettingsTab form={senders} />}
      sections={
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
      }
    />
  )
}
