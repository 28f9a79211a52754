import IconEye from '@tabler/icons-react/dist/esm/icons/IconEye.mjs'
import IconEyeOff from '@tabler/icons-react/dist/esm/icons/IconEyeOff.mjs'
import { useState } from 'react'
import { useT } from '../../i18n/i18n.ts'
import { Button } from '../buttons/button.tsx'
import { TextField, type TextFieldProps } from './text-field.tsx'

/** A password field with a button to show the input. */
export function PasswordField(props: Omit<TextFieldProps, 'type' | 'end'>) {
  const t = useT()
  const [shown, setShown] = useState(false)
  return (
    <TextField
      autoCapitalize="none"
      spellCheck={false}
      {...props}
      type={shown ? 'text' : 'password'}
      end={
        <Button
          variant="quiet"
          size="small"
          className="adorned-end"
          icon={shown ? IconEyeOff : IconEye}
          label={t(shown ? 'form.hidePassword' : 'form.showPassword')}
          aria-controls={props.id}
          onPress={() => setShown(!shown)}
        />
      }
    />
  )
}
