import { displayAddress } from '@gatehouse/contract/canonical-address'
import type { GroupDetail } from '@gatehouse/contract/directory/groups'
import { sentText, useObjectForm } from '../../domain/directory/use-object-forms.ts'
import { useT } from '../../i18n/i18n.ts'
import { type Access, accessOf, storedAccess } from './sender-access.ts'
import type { SenderValues } from './senders-section.tsx'

export interface ListValues extends SenderValues {
  name: string
  members: string[]
}

/** The form of a list: name, members and permitted senders. `domains` are those of the account. */
export function useListForm(list: GroupDetail, domains: readonly string[]) {
  const t = useT()
  const { config } = list
  const accessIn = ({ access }: Partial<ListValues>): Access => access || accessOf(config, domains)
  const storedIn = (changes: Partial<ListValues>) =>
    storedAccess(accessIn(changes), { ...config, ...changedSenders(changes) }, domains)

  const edit = useObjectForm<'group', ListValues>('group', list, {
    valuesOf: ({ name, members, config: { sender_policy, members_may_send } }) => ({
      name,
      members: members.map(displayAddress),
      access: '',
      sender_policy: sender_policy.map(displayAddress),
      members_may_send,
    }),
    bodyOf: ({ name, members }) => ({ name: sentText(name), members }),
    configOf: (changes) => (isAboutSenders(changes) ? storedIn(changes) : undefined),
    configNow: { sender_policy: config.sender_policy, members_may_send: config.members_may_send },
    guard: async (changes, send) => {
      const { sender_policy, members_may_send } = storedIn(changes)
      if (accessIn(changes) !== 'chosen' || sender_policy.length > 0 || members_may_send) return send()
      // stored empty, everyone could send
      edit.form.setErrors({ sender_policy: t('distlists.noSenders') })
      return false
    },
  })
  return edit
}

function isAboutSenders(changes: Partial<ListValues>): boolean {
  return changes.access !== undefined || Object.keys(changedSenders(changes)).length > 0
}

function changedSenders({ sender_policy, members_may_send }: Partial<ListValues>) {
  return {
    ...(sender_policy !== undefined && { sender_policy }),
    ...(members_may_send !== undefined && { members_may_send }),
  }
}
