import type { PasskeyProof, StepUpMeans } from '@gatehouse/contract/sessions/proofs'
import { useState } from 'react'
import { ApiError, type ProofNeed } from '../../platform/api/api-error.ts'
import { errorText } from '../../platform/api/report-error.ts'
import { errorLine, readFieldError } from '../../ui/form/field-errors.ts'
import { useForm } from '../../ui/form/use-form.ts'
import { offeredMeans } from './offered-means.ts'
import { canUsePasskeys } from './passkey-support.ts'

/** What proves who somebody is, as calls of the wire take it. */
export interface GivenProof {
  secondfactor?: string
  passkey?: PasskeyProof
  password?: string
}

export interface ProofOptions {
  /** Absent: not known yet. */
  need: ProofNeed | undefined
  /** In front of the ids of the fields. */
  prefix?: string
  /** Sends the proof. It may fail with an `ApiError`, whose `proof` is what to ask for next. */
  send: (proof: GivenProof) => Promise<unknown>
}

/** The form in which somebody proves who it is, by one of the means that the server offers. */
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
      // a challenge is good once
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
      // a passkey has no field that could tell
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
