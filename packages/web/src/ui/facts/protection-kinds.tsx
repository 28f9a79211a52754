import type { ProtectionKind } from '@gatehouse/contract/directory/users'
import IconShieldCheck from '@tabler/icons-react/dist/esm/icons/IconShieldCheck.mjs'
import IconShieldExclamation from '@tabler/icons-react/dist/esm/icons/IconShieldExclamation.mjs'
import type { MessageKey } from '../../i18n/areas.ts'
import { useT } from '../../i18n/i18n.ts'
import { Icon } from '../icon.tsx'
import { Chip } from './status-chip.tsx'
import './protection-kinds.css'

const names: Record<ProtectionKind, MessageKey> = {
  passkey: 'words.passkey',
  totp: 'list.factorTotp',
  companion: 'words.device',
}

export interface ProtectionKindsProps {
  kinds: readonly ProtectionKind[]
  /** A second factor is required: users without one are highlighted. */
  isRequired?: boolean
}

/** A user's factors besides the password, in a few words. */
export function ProtectionKinds({ kinds, isRequired = false }: ProtectionKindsProps) {
  const t = useT()
  if (kinds.length > 0) {
    return (
      <span className="protection-kinds">
        <Icon of={IconShieldCheck} size="tiny" />
        {kinds.map((kind) => t(names[kind])).join(', ')}
      </span>
    )
  }
  if (!isRequired) return <span className="text-3">{t('list.factorNone')}</span>
  return (
    <Chip tone="warning" icon={IconShieldExclamation}>
      {t('list.factorMissing')}
    </Chip>
  )
}
