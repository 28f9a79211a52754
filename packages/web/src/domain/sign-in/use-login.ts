import { type ComponentType, useState } from 'react'
import { loadMessages } from '../../i18n/i18n.ts'
import { ApiError } from '../../platform/api/api-error.ts'
import { reportError } from '../../platform/api/report-error.ts'
import { loadChunk } from '../../platform/navigation/chunks.ts'
import { expectedLogin } from '../../platform/navigation/navigation.ts'
import { type Form, useForm } from '../../ui/form/use-form.ts'
import { type Credentials, login } from './login.ts'
import type { SecondStepProps } from './second-step.tsx'

export interface LoginOptions {
  /** Stays on the screen, which goes on by itself, such as a meeting. */
  onSuccess?: () => void
  /** Whether it asks for the second factor now. */
  onStep?: (isSecond: boolean) => void
}

interface Second extends SecondStepProps {
  Step: ComponentType<SecondStepProps>
}

interface LoginValues {
  email: string
  password: string
  secondfactor: string
}

/** The ways to sign in. What few logins need comes when it is needed. */
export function useLogin({ onSuccess, onStep }: LoginOptions) {
  const [second, setSecond] = useState<Second>()
  const stay = Boolean(onSuccess)

  const show = (next: Second | undefined) => {
    setSecond(next)
    onStep?.(next !== undefined)
  }

  const form: Form<LoginValues> = useForm<LoginValues>({
    initial: { email: expectedLogin(), password: '', secondfactor: '' },
    submit: async ({ email, password, secondfactor }) => {
      const send = async (proof: Partial<Credentials>) => {
        await login({ email, password, ...proof }, { stay })
        onSuccess?.()
      }
      try {
        await send({ secondfactor: secondfactor || undefined })
      } catch (error) {
        if (error instanceof ApiError && error.proof && !secondfactor) {
          const [{ SecondStep }] = await loadStep(() => import('./second-step.tsx'))
          const onBack = () => show(undefined)
          return show({ Step: SecondStep, need: error.proof, email, send, onBack })
        }
        reportError(error)
        if (error instanceof ApiError && error.status === 401) form.setErrors({ password: error.message })
        throw error
      }
    },
  })

  const signInWithPasskey = async () => {
    const [passkeys] = await loadStep(() => import('./passkey-sign-in.ts'))
    if (await passkeys.signInWithPasskey({ stay })) onSuccess?.()
  }

  return { form, second, signInWithPasskey }
}

/** A part of the application with the texts for proofs. */
function loadStep<T>(load: () => Promise<T>) {
  return loadChunk(() => Promise.all([load(), loadMessages('proof')]))
}
