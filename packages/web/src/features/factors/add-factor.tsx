import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { useState } from 'react'
import { useT } from '../../i18n/i18n.ts'
import { call } from '../../platform/api/api.ts'
import { Button, type ButtonVariant } from '../../ui/buttons/button.tsx'
import { PasskeyDialog } from './passkey-dialog.tsx'
import { TotpDialog, type TotpSetup } from './totp-dialog.tsx'

export interface AddFactorProps {
  onAdded: () => void
  variant?: ButtonVariant
  size?: 'small' | 'large'
  full?: boolean
}

interface AddAppProps extends AddFactorProps {
  /** There is no factor yet, so recovery codes are created too. */
  isFirst: boolean
}

/** A button that sets up an authenticator app. */
export function AddApp({ isFirst, onAdded, ...look }: AddAppProps) {
  const t = useT()
  const [setup, setSetup] = useState<TotpSetup>()
  const begin = async () => setSetup(await call('POST /api/v4/factors/totp', { body: {} }))
  const close = () => setSetup(undefined)
  const finish = () => {
    close()
    onAdded()
  }
  return (
    <>
      <Button {...look} icon={IconPlus} onPress={begin}>
        {t('factors.addApp')}
      </Button>
      {setup && (
        <TotpDialog
          key={setup.id}
          setup={setup}
          isFirst={isFirst}
          onAgain={begin}
          onClose={close}
          onAdded={finish}
        />
      )}
    </>
  )
}

/** Button that sets up a passkey; rendered only in browsers that support them. */
export function AddPasskey({ onAdded, ...look }: AddFactorProps) {
  const t = useT()
  const [isOpen, setOpen] = useState(false)
  const finish = () => {
    setOpen(false)
    onAdded()
  }
  return (
    <>
      <Button {...look} icon={IconPlus} onPress={() => setOpen(true)}>
        {t('factors.addPasskey')}
      </Button>
      {isOpen && <PasskeyDialog onClose={() => setOpen(false)} onAdded={finish} />}
    </>
  )
}
