import type { ClientScope } from '@gatehouse/contract/sessions/oauth'
import type { Principal } from '../../platform/http/callers/principal.ts'
import { message, ValidationError } from '../../platform/http/errors.ts'
import type { Throttle } from '../../platform/throttle/throttle.ts'
import type { ClientRow } from '../clients/client.ts'
import { readClient } from '../clients/client-store.ts'
import { grantedScopes, grantWriting, UnknownScope } from '../tokens/scopes.ts'
import { type ApproveParts, recordConsent } from './approve.ts'
import { decideDevice, findDeviceRequest } from './device-store.ts'
import { sessionBegin } from './person-store.ts'

/** No device is waiting with this code. */
export class DeviceCodeUnknown extends ValidationError {
  constructor() {
    super({ user_code: [message('oauth.device-unknown')] })
  }
}

export interface DeviceParts extends ApproveParts {
  readonly throttle: Throttle
}

export interface Device {
  readonly client: ClientRow
  readonly scopes: readonly ClientScope[]
}

interface Asker {
  readonly principal: Principal
  readonly ip: string
}

/** Throttles mistyped and guessed codes per user and network address. */
export function guardDeviceCode<T>(
  parts: DeviceParts,
  { principal, ip }: Asker,
  act: () => Promise<T>,
): Promise<T> {
  const guarded = { kind: 'device-code', account: principal.userId, ip }
  return parts.throttle.guard(guarded, (error) => error instanceof DeviceCodeUnknown, act)
}

/**
 * Returns the device with a user code, which may be typed with or without hyphen. Throws DeviceCodeUnknown.
 */
export async function findDevice({ db, clock }: DeviceParts, typed: string): Promise<Device> {
  const asked = await findDeviceRequest(db, clock, normalise(typed))
  const client = asked && (await readClient(db, asked.clientId))
  if (asked === undefined || client === undefined || client.disabledAt !== null) throw new DeviceCodeUnknown()
  try {
    return { client, scopes: grantedScopes(asked.scope, client.scopes) }
  } catch (error) {
    if (error instanceof UnknownScope) throw new DeviceCodeUnknown()
    throw error
  }
}

/**
 * Authorises the device. Throws DeviceCodeUnknown if it was already decided, and StepUpRequired for write
 * scopes.
 */
export async function allowDevice(parts: DeviceParts, typed: string, by: Asker): Promise<void> {
  const { client, scopes } = await findDevice(parts, typed)
  const { db, clock } = parts
  if (grantWriting(scopes)) await parts.stepUp.requireFresh(by.principal)
  const library = await parts.provider.get()
  const accountId = String(by.principal.userId)
  const signedIn = await sessionBegin(db, clock, by.principal.sessionId)
  const grant = new library.Grant({ accountId, clientId: client.id })
  const scope = scopes.join(' ')
  grant.addOIDCScope(scope)
  const grantId = await grant.save()
  const authTime = Math.floor(signedIn.getTime() / 1000)
  const isDone = await decideDevice(db, clock, normalise(typed), { accountId, grantId, scope, authTime })
  if (!isDone) {
    await grant.destroy()
    throw new DeviceCodeUnknown()
  }
  await recordConsent(parts, by, client, scopes)
}

/** Denies the device. Throws DeviceCodeUnknown. */
export async function denyDevice({ db, clock }: DeviceParts, typed: string): Promise<void> {
  if (!(await decideDevice(db, clock, normalise(typed), { error: 'access_denied' }))) {
    throw new DeviceCodeUnknown()
  }
}

/** Upper-case letters only, as the library stores codes. */
function normalise(typed: string): string {
  return typed.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')
}
