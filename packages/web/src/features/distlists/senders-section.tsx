import { displayDomain } from '@gatehouse/contract/canonical-address'
import type { GroupDetail } from '@gatehouse/contract/directory/groups'
import { AddressList } from '../../domain/address-list/address-list.tsx'
import { alternatives } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import { Checkbox } from '../../ui/fields/checkbox.tsx'
import { Choices } from '../../ui/fields/choices.tsx'
import { FormSection } from '../../ui/form/form-section.tsx'
import type { Form } from '../../ui/form/use-form.ts'
import { SkeletonRows } from '../../ui/page/skeleton.tsx'
import { type Access, accesses, accessLabels, accessOf } from './sender-access.ts'

/** Form values for a list's senders. */
export interface SenderValues {
  /** Empty: unchanged. */
  access: Access | ''
  /** The chosen senders. */
  sender_policy: string[]
  members_may_send: boolean
}

export interface SendersSectionProps {
  list: GroupDetail
  form: Form<SenderValues & { name: string; members: string[] }>
  /** Domains of the account; undefined: not loaded yet. */
  domains: readonly string[] | undefined
}

/** Form section for who may send to a list. */
export function SendersSection({ list, form, domains }: SendersSectionProps) {
  const t = useT()
  return (
    <FormSection title={t('distlists.allowed')} hint={t('distlists.allowedHint')}>
      {domains ? <Senders list={list} form={form} domains={domains} /> : <SkeletonRows count={4} />}
    </FormSection>
  )
}

function Senders({ list, form, domains }: SendersSectionProps & { domains: readonly string[] }) {
  const t = useT()
  const stored = accessOf(list.config, domains)
  const access = form.values.access || stored
  const choose = (value: string) => {
    const chosen = accesses.find((one) => one === value) ?? stored
    form.set('access', chosen === stored ? '' : chosen)
    if (chosen === 'chosen') return
    form.set('sender_policy', list.config.sender_policy)
    form.set('members_may_send', list.config.members_may_send)
  }
  const texts: Record<Access, string> = {
    everyone: t('distlists.everyoneText'),
    organisation: t('distlists.organisationText', { domains: alternatives(domains.map(displayDomain)) }),
    members: t('distlists.membersText'),
    chosen: t('distlists.chosenText'),
  }
  const offered = accesses.filter((one) => one !== 'organisation' || domains.length > 0)
  return (
    <>
      <Choices
        id="access"
        name="access"
        label={t('distlists.allowed')}
        hideLabel
        choices={offered.map((value) => ({ value, label: t(accessLabels[value]), text: texts[value] }))}
        value={access}
        onValue={choose}
      />
      {access === 'chosen' && (
        <>
          <AddressList
            {...form.list('sender_policy')}
            label={t('words.allowedSenders')}
            hint={t('distlists.senderHint')}
            placeholder={t('distlists.senderExample')}
            suggest
            withDomains
          />
          <Checkbox {...form.check('members_may_send')} label={t('distlists.membersToo')} />
        </>
      )}
    </>
  )
}
