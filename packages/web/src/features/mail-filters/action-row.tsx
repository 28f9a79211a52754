import { filterLimits } from '@gatehouse/contract/mail/filter-terms'
import type { FilterActionKind } from '@gatehouse/contract/mail/mail-filters'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { useT } from '../../i18n/i18n.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Checkbox } from '../../ui/fields/checkbox.tsx'
import { Select } from '../../ui/fields/select.tsx'
import { TextArea } from '../../ui/fields/text-area.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import type { ActionDraft } from './rule-draft.ts'

const labels = {
  file: 'mailfilters.action.file',
  'mark-read': 'mailfilters.action.markRead',
  flag: 'mailfilters.action.flag',
  forward: 'mailfilters.action.forward',
  discard: 'mailfilters.action.discard',
  reject: 'mailfilters.action.reject',
} as const satisfies Record<FilterActionKind, string>

const kinds: readonly FilterActionKind[] = ['file', 'mark-read', 'flag', 'forward', 'discard', 'reject']

export interface ActionRowProps {
  action: ActionDraft
  /** Position, for the names of its fields. */
  number: number
  /** The only one can't be removed. */
  isOnly: boolean
  onChange: (changes: Partial<ActionDraft>) => void
  onRemove: () => void
}

/** One action of a rule. */
export function ActionRow({ action, number, isOnly, onChange, onRemove }: ActionRowProps) {
  const t = useT()
  return (
    <div className="filter-row">
      <Select
        id={`filter-rule-action-${action.key}`}
        label={t('mailfilters.actionNumber', { number })}
        hideLabel
        value={action.kind}
        onValue={(next) => onChange({ kind: kinds.find((one) => one === next) ?? 'file' })}
        options={kinds.map((kind) => ({ value: kind, label: t(labels[kind]) }))}
      />
      <Details action={action} onChange={onChange} />
      {!isOnly && (
        <Button
          variant="quiet"
          size="small"
          icon={IconX}
          label={t('mailfilters.removeAction', { number })}
          onPress={onRemove}
        />
      )}
    </div>
  )
}

function Details({ action, onChange }: Pick<ActionRowProps, 'action' | 'onChange'>) {
  const t = useT()
  const id = `filter-rule-action-${action.key}`
  if (action.kind === 'file')
    return (
      <TextField
        id={`${id}-folder`}
        name={`${id}-folder`}
        label={t('mailfilters.folder')}
        hideLabel
        placeholder={t('mailfilters.folderExample')}
        required
        exact
        maxLength={filterLimits.value}
        value={action.folder}
        onValue={(folder) => onChange({ folder })}
      />
    )
  if (action.kind === 'forward')
    return (
      <div className="filter-details">
        <TextField
          id={`${id}-address`}
          name={`${id}-address`}
          label={t('mailfilters.forwardTo')}
          hideLabel
          type="email"
          placeholder="jane@example.org"
          required
          exact
          maxLength={320}
          value={action.address}
          onValue={(address) => onChange({ address })}
        />
        <Checkbox
          id={`${id}-copy`}
          label={t('mailfilters.keepCopy')}
          checked={action.keepCopy}
          onChecked={(keepCopy) => onChange({ keepCopy })}
        />
      </div>
    )
  if (action.kind === 'reject')
    return (
      <TextArea
        id={`${id}-text`}
        name={`${id}-text`}
        label={t('mailfilters.rejectText')}
        hideLabel
        rows={3}
        placeholder={t('mailfilters.rejectText')}
        required
        maxLength={filterLimits.text}
        value={action.text}
        onValue={(text) => onChange({ text })}
      />
    )
  return <span />
}
