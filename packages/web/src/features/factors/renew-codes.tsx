import { useState } from 'react'
import { useT } from '../../i18n/i18n.ts'
import { call } from '../../platform/api/api.ts'
import { Button, type ButtonVariant } from '../../ui/buttons/button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { CodesDialog } from './codes-dialog.tsx'

export interface RenewCodesProps {
  /** Number of codes that become invalid. */
  left: number
  variant?: ButtonVariant
  size?: 'small'
  onRenewed: () => void
}

/** Button that creates new recovery codes, after confirmation if old ones become invalid. */
export function RenewCodes({ left, onRenewed, ...look }: RenewCodesProps) {
  const t = useT()
  const [isAsking, setAsking] = useState(false)
  const [codes, setCodes] = useState<readonly string[]>()
  const make = async () => {
    const { recoveryCodes } = await call('POST /api/v4/factors/recovery-codes')
    setCodes(recoveryCodes)
  }
  const finish = () => {
    setCodes(undefined)
    onRenewed()
  }
  return (
    <>
      <Button {...look} onPress={left > 0 ? () => setAsking(true) : make}>
        {t(left > 0 ? 'factors.renewCodes' : 'factors.makeCodes')}
      </Button>
      {isAsking && (
        <Dialog
          open
          title={t('factors.renewTitle')}
          onClose={() => setAsking(false)}
          actions={[{ preset: 'submit', label: t('factors.renewCodes'), dismiss: true, onPress: make }]}
        >
          <p>{t('factors.renewText', { count: left })}</p>
        </Dialog>
      )}
      {codes && <CodesDialog codes={codes} onDone={finish} />}
    </>
  )
}
