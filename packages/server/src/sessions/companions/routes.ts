import QRCode from 'qrcode'
import type { Api } from '../../platform/http/api.ts'
import type { Principal } from '../../platform/http/callers/principal.ts'
import { ForbiddenAddress } from '../../platform/http/callers/public-address.ts'
import { Conflict, Forbidden, message, NotFound, ValidationError } from '../../platform/http/errors.ts'
import { isUuid } from '../../platform/ids.ts'
import type { Secrets } from '../../platform/secrets.ts'
import type { FeatureSettings } from '../../platform/settings/feature-settings.ts'
import type { SiteConfig } from '../../platform/settings/site-settings.ts'
import { actorOf } from '../../users/actor.ts'
import { hangsOnCompanions } from '../enforcement.ts'
import { readStanding } from '../standing-store.ts'
import type { CompanionSettings } from './companion-settings.ts'
import {
  type Companion,
  companionOfSession,
  countPaired,
  findCompanion,
  listCompanions,
  setSubscription,
} from './companion-store.ts'
import {
  addDevice,
  exchangePairing,
  makePairing,
  type NewPairing,
  type PairingParts,
  registerDevice,
} from './pairing.ts'
import { requireOwn } from './policy.ts'
import { presentCompanion, presentMoment } from './present.ts'
import { type PushKeys, subscriptionPurpose } from './push/push-keys.ts'
import { checkEndpoint } from './push/push-request.ts'
import { type UnpairParts, unpair } from './unpair.ts'

export interface CompanionParts extends PairingParts, UnpairParts {
  readonly config: Pick<SiteConfig, 'APP_URL'> &
    Pick<FeatureSettings, 'APP_WITH_COMPANION_APP'> &
    Pick<CompanionSettings, 'PUSH_TO_PRIVATE'>
  readonly secrets: Secrets
  readonly pushKeys: PushKeys
}

const pageSize = 20

/** Devices: list, pairing and removal; reference api-auth §8. */
export function serveCompanions(api: Api, parts: CompanionParts): void {
  const { config, db, clock } = parts
  const offered = { isOffered: config.APP_WITH_COMPANION_APP }

  const own = async (principal: Principal, id: string): Promise<Companion> =>
    requireOwn(principal, isUuid(id) ? await findCompanion(db, id, clock.now()) : undefined)

  const ofSession = async (principal: Principal): Promise<Companion> => {
    const device = await companionOfSession(db, principal.sessionId, clock.now())
    if (device === undefined) throw new NotFound()
    return device
  }

  api.serve(
    'GET /api/v4/companions',
    async ({ principal, query }) => {
      const offset = ((query.page ?? 1) - 1) * pageSize
      const part = { limit: pageSize + 1, offset }
      const rows = await listCompanions(db, principal.userId, clock.now(), part)
      const list = rows
        .slice(0, pageSize)
        .map((row) => ({ ...presentCompanion(row), isReady: row.deviceId !== '' }))
      return { list, count: list.length, hasMore: rows.length > pageSize }
    },
    offered,
  )

  api.serve(
    'POST /api/v4/companions',
    async ({ principal, body, t, ip }) => {
      const facts = { name: body.name, isRecovery: body.recovery === true }
      const id = await addDevice(parts, principal, facts, ip)
      return { status: 'success', message: t('app.companion-create-success'), id }
    },
    offered,
  )

  api.serve(
    'GET /api/v4/companions/{id}',
    async ({ principal, params }) => {
      const row = await own(principal, params.id)
      return {
        ...presentCompanion(row),
        statusInfo: { isReady: row.deviceId !== '' },
        ...(await whatEndsWith(parts, row)),
      }
    },
    offered,
  )

  api.serve(
    'GET /api/v4/companions/{id}/pairing',
    async ({ principal, params }) => {
      const row = await own(principal, params.id)
      if (row.mfaEnabled) throw new Conflict(message('companions.paired-already'))
      return presentPairing(config.APP_URL, row, await makePairing(db, clock, row))
    },
    offered,
  )

  api.serve(
    'DELETE /api/v4/companions/{id}',
    async ({ principal, params, t, ip }) => {
      const gone = await unpair(parts, await own(principal, params.id), actorOf(principal, { ip }))
      if (gone === undefined) throw new NotFound()
      return { status: 'success', message: t('app.companion-delete-success') }
    },
    offered,
  )

  api.serve(
    'POST /api/v4/companion/pair',
    async ({ body, ...request }) => {
      const device = { deviceId: body.deviceId, ...(body.name != null && { name: body.name }) }
      const paired = await exchangePairing(parts, body, request, device)
      return {
        status: 'success',
        access_token: paired.tokens.accessToken,
        refresh_token: paired.tokens.refreshToken,
        token_type: 'bearer',
        expires_in: paired.tokens.expiresIn,
        companionId: paired.companionId,
        username: paired.username,
      }
    },
    offered,
  )

  api.serve(
    'POST /api/v4/companion/register',
    async ({ principal, body, ip }) => {
      const row = await own(principal, body.companionId)
      const device = await companionOfSession(db, principal.sessionId, clock.now())
      const isOfDevice = device?.id === row.id
      // pairing requires the device's secret; a portal session may update a device that is already paired
      if (!isOfDevice && !(row.mfaEnabled && principal.scopes.includes('api'))) throw new Forbidden()
      const { deviceId, name, notificationToken } = body
      const facts = { deviceId, name, notificationToken }
      await registerDevice(parts, row, facts, ip)
      return { status: 'success' }
    },
    offered,
  )

  api.serve(
    'GET /api/v4/companion',
    async ({ principal }) => {
      const row = await ofSession(principal)
      return {
        id: row.id,
        name: row.name,
        username: row.email,
        isRecovery: row.isRecovery,
        hasPush: row.hasPush,
        ...(await whatEndsWith(parts, row)),
        pushKey: parts.pushKeys.publicKey,
      }
    },
    offered,
  )

  api.serve(
    'POST /api/v4/companion/push',
    async ({ principal, body }) => {
      const { id } = await ofSession(principal)
      await setSubscription(db, id, sealedSubscription(parts, body.subscription))
      return { status: 'success' }
    },
    offered,
  )

  api.serve(
    'POST /api/v4/companion/unpair',
    async ({ principal, t, ip }) => {
      const row = await ofSession(principal)
      await unpair(parts, row, actorOf(principal, { ip }))
      return { status: 'success', message: t('app.companion-delete-success') }
    },
    offered,
  )
}

/** Whether removing a device would disable sign-in confirmation, and whether it therefore must stay. */
async function whatEndsWith({ db, secondFactorRules }: UnpairParts, row: Companion) {
  const isLast = row.mfaEnabled && (await countPaired(db, row.userId, row.id)) === 0
  const standing = isLast ? await readStanding(db, row.userId) : undefined
  return { isLast, isKept: standing !== undefined && hangsOnCompanions(secondFactorRules, standing) }
}

/** Throws ValidationError for a push URL that no browser would send. */
function sealedSubscription(
  { config, secrets }: CompanionParts,
  subscription: { readonly endpoint: string } | null,
): Buffer | null {
  if (subscription === null) return null
  try {
    checkEndpoint(subscription.endpoint, config.PUSH_TO_PRIVATE)
  } catch (error) {
    if (error instanceof ForbiddenAddress) throw ValidationError.at('subscription', 'validation.invalid')
    throw error
  }
  return secrets.encrypt(subscriptionPurpose, JSON.stringify(subscription))
}

async function presentPairing(appUrl: string, row: Companion, { secret, code, expiresAt }: NewPairing) {
  const facts = {
    serverUrl: appUrl,
    clientIdentifier: row.id,
    clientSecret: secret,
    companionId: row.id,
    username: row.email,
  }
  const link = `${appUrl}/companion-app#${row.id}.${secret}${row.isRecovery ? '.r' : ''}`
  return {
    ...facts,
    qrcode: await picture(JSON.stringify(facts)),
    link,
    linkQrcode: await picture(link),
    code,
    expiresAt: presentMoment(expiresAt),
  }
}

/** Returns a QR code, 300 pixels wide, as a data URL. */
async function picture(text: string): Promise<string> {
  const svg = await QRCode.toString(text, { type: 'svg', width: 300, margin: 1 })
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`
}
