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
  return (
    <fieldset className="api-key-permissions" aria-describedby={error && 'api-key-scopes-error'}>
      <legend className="field-label">{t('apikeys.permissions')}</legend>
      <input type="hidden" name="scopes" />
      <div className="api-key-groups">
        {groups.map(({ group, accesses }) => (
          <div className="api-key-group" key={group}>
            <Select
              id={`api-key-${group}`}
              label={groupLabel(group)}
              value={chosen[group] ?? ''}
              onValue={(access) => onChosen({ ...chosen, [group]: access })}
              options={[
                { value: '', label: t('apikeys.noAccess') },
                ...(accesses.includes('read') ? [{ value: 'read', label: t('apikeys.read') }] : []),
                ...(accesses.includes('write') ? [{ value: 'write', label: t('apikeys.write') }] : []),
              ]}
            />
          </div>
        ))}
      </div>
      <div role="alert">
        <FieldNotes id="api-key-scopes" error={error} />
      </div>
    </fieldset>
  )
}
