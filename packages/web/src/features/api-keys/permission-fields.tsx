import type { ApiKeyGroup } from '@gatehouse/contract/sessions/api-keys'
import { groupLabel } from '../../domain/api-keys/group-labels.ts'
import { useT } from '../../i18n/i18n.ts'
import { FieldNotes } from '../../ui/fields/field.tsx'
import { Select } from '../../ui/fields/select.tsx'

export interface PermissionFieldsProps {
  groups: readonly ApiKeyGroup[]
  /** The chosen access by group: `read`, `write`, or none. */
  chosen: Readonly<Record<string, string>>
  onChosen: (chosen: Record<string, string>) => void
  error: string | undefined
}

/** Returns the scopes of a choice. */
export function scopesOf(chosen: Readonly<Record<string, string>>): string[] {
  return Object.entries(chosen)
    .filter(([, access]) => access !== '')
    .map(([group, access]) => `${group}:${access}`)
}

/** What a key may do: for each group of calls nothing, reading, or reading and writing. */
export function PermissionFields({ groups, chosen, onChosen, error }: PermissionFieldsProps) {
  const t = useT()
  const sorted = [...groups].sort((one, other) =>
    groupLabel(one.group).localeCompare(groupLabel(other.group)),
  )
  return (
    <fieldset className="api-key-permissions" aria-describedby={error && 'api-key-scopes-error'}>
      <legend className="field-label">{t('apikeys.permissions')}</legend>
      <input type="hidden" name="scopes" />
      <div className="api-key-groups">
        <AccessField
          id="api-key-all"
          label={t('apikeys.everything')}
          accesses={['read', 'write']}
          value={commonAccess(groups, chosen)}
          onValue={(access) => onChosen(accessForAll(groups, access))}
        />
        {sorted.map(({ group, accesses }) => (
          <AccessField
            key={group}
            id={`api-key-${group}`}
            label={groupLabel(group)}
            accesses={accesses}
            value={chosen[group] ?? ''}
            onValue={(access) => onChosen({ ...chosen, [group]: access })}
          />
        ))}
      </div>
      <div role="alert">
        <FieldNotes id="api-key-scopes" error={error} />
      </div>
    </fieldset>
  )
}

interface AccessFieldProps {
  id: string
  label: string
  accesses: ApiKeyGroup['accesses']
  /** Undefined: the groups differ. */
  value: string | undefined
  onValue: (access: string) => void
}

function AccessField({ id, label, accesses, value, onValue }: AccessFieldProps) {
  const t = useT()
  return (
    <div className="api-key-group">
      <Select
        id={id}
        label={label}
        value={value ?? 'mixed'}
        onValue={onValue}
        options={[
          ...(value === undefined ? [{ value: 'mixed', label: t('apikeys.mixed') }] : []),
          { value: '', label: t('apikeys.noAccess') },
          ...(accesses.includes('read') ? [{ value: 'read', label: t('apikeys.read') }] : []),
          ...(accesses.includes('write') ? [{ value: 'write', label: t('apikeys.write') }] : []),
        ]}
      />
    </div>
  )
}

/** Gives every group an access, or the next lower one that it has. */
function accessForAll(groups: readonly ApiKeyGroup[], access: string): Record<string, string> {
  if (access === 'mixed') return {}
  const accessOf = ({ accesses }: ApiKeyGroup) =>
    access === 'write' && !accesses.includes('write') ? 'read' : access
  return Object.fromEntries(groups.map((group) => [group.group, accessOf(group)]))
}

/** The access that all groups have; undefined if they differ. */
function commonAccess(
  groups: readonly ApiKeyGroup[],
  chosen: Readonly<Record<string, string>>,
): string | undefined {
  return ['', 'read', 'write'].find((access) => {
    const all = accessForAll(groups, access)
    return groups.every(({ group }) => (chosen[group] ?? '') === all[group])
  })
}
