import type { SubscriptionPackage } from '@gatehouse/contract/billing/subscriptions'
import type { PersonField } from '@gatehouse/contract/directory/person-headings'
import IconCircleX from '@tabler/icons-react/dist/esm/icons/IconCircleX.mjs'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import type { ClipboardEvent, InputHTMLAttributes, KeyboardEvent, ReactNode } from 'react'
import { price } from '../../../i18n/format.ts'
import { useT } from '../../../i18n/i18n.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { FieldNotes, fieldControl } from '../../../ui/fields/field.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { cellId, isBlank, type SheetRow } from './sheet-rows.ts'
import type { People, RowState } from './use-people.ts'

export interface PersonRowProps {
  row: SheetRow
  number: number
  state: RowState
  people: People
  packages: readonly SubscriptionPackage[]
  domain: string
  currency: string
  storageUnit: string | undefined
  onKeyDown: (event: KeyboardEvent, key: number, field: PersonField) => void
  onRemove: () => void
}

/** A new user in the sheet. */
export function PersonRow(props: PersonRowProps) {
  const { row, number, state, people, packages, domain, currency, storageUnit, onRemove } = props
  const t = useT()
  const { first_name, last_name, email } = row.cells
  const name = [first_name, last_name].filter(Boolean).join(' ') || email
  const isUnknown = packages.every(({ id }) => id !== row.cells.package)
  return (
    <fieldset className="people-row" data-blank={isBlank(row) || undefined}>
      <legend>{name ? t('people.rowOf', { number, name }) : t('people.row', { number })}</legend>
      <TextCell {...props} field="first_name" label={t('words.firstName')} />
      <TextCell {...props} field="last_name" label={t('words.lastName')} />
      <TextCell
        {...props}
        field="email"
        label={t('words.emailAddress')}
        placeholder={number === 1 ? t('people.addressExample', { domain }) : undefined}
        inputMode="email"
        isExact
      />
      <Cell {...props} field="package" label={t('words.package')}>
        {(control) => (
          <select
            {...control}
            className="input"
            value={row.cells.package}
            onChange={(event) => people.set(row.key, 'package', event.target.value)}
            onBlur={() => people.leave(row.key, 'package')}
            onKeyDown={(event) => props.onKeyDown(event, row.key, 'package')}
          >
            {isUnknown && <option value={row.cells.package}>{row.cells.package || '–'}</option>}
            {packages.map((item) => (
              <option key={item.id} value={item.id}>
                {item.name}
              </option>
            ))}
          </select>
        )}
      </Cell>
      {storageUnit && (
        <TextCell
          {...props}
          field="quota"
          label={t('people.storage', { unit: storageUnit })}
          placeholder={t('people.included')}
          inputMode="numeric"
        />
      )}
      <TextCell
        {...props}
        field="external_email"
        label={t('userfields.external_email')}
        placeholder={number === 1 ? t('people.privateExample') : undefined}
        inputMode="email"
        isExact
      />
      <div className="people-price">
        <span className="people-label">{t('subscriptions.perMonth')}</span>
        <Monthly state={state} isBlank={isBlank(row)} currency={currency} />
      </div>
      <div className="people-remove">
        <Button
          variant="quiet"
          size="small"
          icon={IconX}
          label={t('people.removeRow', { number })}
          disabled={people.busy}
          onPress={onRemove}
        />
      </div>
      {state.failure && (
        <p className="field-error people-failure" role="alert">
          <Icon of={IconCircleX} size="small" />
          <span>{state.failure}</span>
        </p>
      )}
    </fieldset>
  )
}

function Monthly({
  state: { monthly },
  isBlank: isEmpty,
  currency,
}: {
  state: RowState
  isBlank: boolean
  currency: string
}) {
  if (isEmpty || monthly == null) return <span className="text-3">–</span>
  return <span className="nowrap">{price(monthly, currency)}</span>
}

type CellProps = Pick<PersonRowProps, 'row' | 'state' | 'people' | 'onKeyDown'> & {
  field: PersonField
  label: string
}

function Cell({
  row,
  state,
  field,
  label,
  children,
}: CellProps & { children: (control: ReturnType<typeof fieldControl>) => ReactNode }) {
  const id = cellId(row.key, field)
  const error = state.errors[field]
  return (
    <div className="field people-cell" data-field={field}>
      <label className="people-label" htmlFor={id}>
        {label}
      </label>
      {children(fieldControl(id, undefined, error))}
      <FieldNotes id={id} error={error} />
    </div>
  )
}

interface TextCellProps
  extends CellProps,
    Pick<InputHTMLAttributes<HTMLInputElement>, 'placeholder' | 'inputMode'> {
  /** Disables autocorrection and capitalization. */
  isExact?: boolean
}

function TextCell(props: TextCellProps) {
  const { row, people, field, placeholder, inputMode, isExact = false } = props
  const onPaste = (event: ClipboardEvent<HTMLInputElement>) => {
    if (people.paste(row.key, field, event.clipboardData.getData('text/plain'))) event.preventDefault()
  }
  return (
    <Cell {...props}>
      {(control) => (
        <input
          {...control}
          className="input"
          value={row.cells[field]}
          placeholder={placeholder}
          inputMode={inputMode}
          autoComplete="off"
          maxLength={maxLengths[field]}
          {...(isExact && { autoCapitalize: 'none', spellCheck: false })}
          onChange={(event) => people.set(row.key, field, event.target.value)}
          onBlur={() => people.leave(row.key, field)}
          onPaste={onPaste}
          onKeyDown={(event) => props.onKeyDown(event, row.key, field)}
        />
      )}
    </Cell>
  )
}

const maxLengths: Record<PersonField, number> = {
  first_name: 128,
  last_name: 128,
  email: 191,
  package: 191,
  quota: 6,
  external_email: 191,
}
