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
  /** Stays on the current screen, which continues on its own, such as a meeting. */
  onSuccess?: () => void
  /** Called with whether the second factor is being asked for. */
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

/** The sign-in methods. Rarely needed parts are lazy-loaded. */
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

/** Loads a part of the application together with the texts for proofs. */
function loadStep<T>(load: () => Promise<T>) {
  return loadChunk(() => Promise.all([load(), loadMessages('proof')]))
}
