import { displayAddress } from '@gatehouse/contract/canonical-address'
import type { Invitation } from '@gatehouse/contract/invitations'
import { day, moment } from '../../i18n/format.ts'
import { useT } from '../../i18n/i18n.ts'
import type { Column } from '../../ui/data-table/data-table.tsx'
import { Chip } from '../../ui/facts/status-chip.tsx'
import { InvitationActions } from './invitation-actions.tsx'
import { looks, stateOf } from './invitation-state.ts'

/** The columns of the list of invitations. */
export function useInvitationColumns(): readonly Column<Invitation>[] {
  const t = useT()
  return [
    {
      name: 'email',
      label: t('words.emailAddress'),
      phone: 'main',
      width: '40%',
      cell: ({ email, first_name: first, last_name: last, error }) => (
        <>
          <span className="medium invitations-wrap">{displayAddress(email)}</span>
          {(first || last) && <span className="data-second">{`${first ?? ''} ${last ?? ''}`.trim()}</span>}
          {error && <span className="data-second invitations-error">{error}</span>}
        </>
      ),
    },
    {
      name: 'state',
      label: t('words.status'),
      phone: 'meta',
      cell: (invitation) => {
        const { tone, icon, label } = looks[stateOf(invitation)]
        return (
          <Chip tone={tone} icon={icon}>
            {t(label)}
          </Chip>
        )
      },
    },
    {
      name: 'created',
      label: t('invitations.created'),
      phone: 'meta',
      cell: ({ created }) => <span className="text-2 nowrap">{moment(created)}</span>,
    },
    {
      name: 'expires',
      label: t('invitations.expires'),
      phone: 'hidden',
      cell: ({ isCompleted, expires_at: end }) =>
        isCompleted ? null : <span className="text-2 nowrap">{day(end)}</span>,
    },
    {
      name: 'actions',
      label: t('words.actions'),
      phone: 'aside',
      align: 'end',
      cell: (invitation) => <InvitationActions invitation={invitation} />,
    },
  ]
}
