import type { TenantName } from '@gatehouse/contract/staff/tenants'
import { useT } from '../../i18n/i18n.ts'
import { CopyValue } from '../../ui/buttons/copy-value.tsx'

export interface ProofRecordProps {
  /** The name it proves. */
  name: string
  record: TenantName['record']
}

/** The DNS record that proves a name, with copy buttons. */
export function ProofRecord({ name, record }: ProofRecordProps) {
  const t = useT()
  return (
    <>
      <p className="text-2 small">{t('tenants.recordText')}</p>
      <dl>
        <div>
          <dt>{t('words.type')}</dt>
          <dd>
            <code>{record.type}</code>
          </dd>
        </div>
        <div>
          <dt>{t('words.name')}</dt>
          <dd>
            <CopyValue text={record.name} label={t('tenants.copyName', { name })} />
          </dd>
        </div>
        <div>
          <dt>{t('words.value')}</dt>
          <dd>
            <CopyValue text={record.value} label={t('tenants.copyValue', { name })} />
          </dd>
        </div>
      </dl>
    </>
  )
}
