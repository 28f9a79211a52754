import type { PasskeyProof, StepUpMeans } from '@gatehouse/contract/sessions/proofs'
import { useState } from 'react'
import { ApiError, type ProofNeed } from '../../platform/api/api-error.ts'
import { errorText } from '../../platform/api/report-error.ts'
import { errorLine, readFieldError } from '../../ui/form/field-errors.ts'
import { useForm } from '../../ui/form/use-form.ts'
import { offeredMeans } from './offered-means.ts'
import { canUsePasskeys } from './passkey-support.ts'

/** Proof of identity as sent in API requests. */
export interface GivenProof {
  secondfactor?: string
  passkey?: PasskeyProof
  password?: string
}

export interface ProofOptions {
  /** Undefined until known. */
  need: ProofNeed | undefined
  /** Prefix of the field ids. */
  prefix?: string
  /** Sends the proof. May throw an `ApiError` whose `proof` says what to ask for next. */
  send: (proof: GivenProof) => Promise<unknown>
}

/** Form in which the user proves their identity by one of the means the server offers. */
export function useProof({ need, prefix, send }: ProofOptions) {
  const [renewed, setRenewed] = useState<ProofNeed>()
  const [chosen, setChosen] = useState<StepUpMeans>()
  const [failure, setFailure] = useState<string>()
  const latest = renewed ?? need
  const means = latest ? offeredMeans(latest, canUsePasskeys()) : []
  const shown = chosen && means.includes(chosen) ? chosen : means[0]

  const give = async (proof: GivenProof) => {
    try {
      await send(proof)
    } catch (error) {
      // a challenge can be used only once
      if (error instanceof ApiError && error.proof) setRenewed(error.proof)
      throw error
    }
  }

  const withPasskey = async () => {
    if (!latest?.passkey) return
    const { answerPasskey } = await import('./passkey-ceremony.ts')
    await give({ passkey: await answerPasskey(latest.passkey) })
  }

  const form = useForm({
    initial: { secondfactor: '', password: '' },
    prefix,
    submit: async ({ secondfactor, password }) => {
      setFailure(undefined)
      if (shown === 'password') return give({ password })
      if (shown !== 'passkey') return give({ secondfactor: secondfactor.trim() })
      // a passkey has no field to show the error at
      await withPasskey().catch((error: unknown) => setFailure(failureText(error)))
    },
  })

  const choose = (next: StepUpMeans) => {
    setFailure(undefined)
    form.reset()
    setChosen(next)
  }

  return { form, means, shown, choose, failure }
}

export type Proof = ReturnType<typeof useProof>

function failureText(error: unknown): string {
  const said = error instanceof ApiError ? Object.values(error.errors ?? {}) : []
  return said.length > 0 ? said.map((one) => errorLine(readFieldError(one))).join(' ') : errorText(error)
}
