import { type AppPassword, maxAppPasswords } from '@gatehouse/contract/sessions/app-passwords'
import { wireDate } from '../../platform/clock.ts'
import type { Api } from '../../platform/http/api.ts'
import { message } from '../../platform/http/errors.ts'
import type { Checked } from '../../platform/http/validation.ts'
import type { Locator } from '../../platform/location.ts'
import { actorOf } from '../../users/actor.ts'
import {
  type AppPasswordParts,
  createAppPassword,
  deleteAppPassword,
  renameAppPassword,
} from './app-passwords.ts'
import { mailSignInRule, protectionOf } from './mail-sign-in-rule.ts'
import { readAppPasswords, type StoredAppPassword } from './store.ts'

export interface ServeAppPasswordParts extends AppPasswordParts {
  readonly locator: Locator
}

/** Routes for app passwords, which only their user can see and change. */
export function serveAppPasswords(api: Api, parts: ServeAppPasswordParts): void {
  const { db, clock, locator } = parts

  api.serve('GET /api/v4/app-passwords', async ({ principal }) => {
    const now = clock.now()
    const rows = await readAppPasswords(db, principal.userId)
    const list = rows.map((row) => present(row, locator, now))
    const rule = mailSignInRule(await protectionOf(db, principal.userId), 'account-password')
    return {
      list,
      count: list.length,
      limit: maxAppPasswords,
      username: principal.email,
      isAccountPasswordAccepted: rule === 'allowed',
    }
  })

  api.serveLate('POST /api/v4/app-passwords', async ({ principal, read, t, ip }) => {
    const { body, found } = await read((fields) => checkExpiry(fields.expires_at, clock.now()))
    const wanted = { name: body.name, scopes: body.scopes, expiresAt: found }
    const made = await createAppPassword(parts, principal, wanted, actorOf(principal, { ip }))
    return { status: 'success', message: t('app-passwords.created'), username: principal.email, ...made }
  })

  api.serve('PUT /api/v4/app-passwords/{id}', async ({ principal, params, body, t, ip }) => {
    const named = { id: params.id, name: body.name }
    await renameAppPassword(parts, principal, named, actorOf(principal, { ip }))
    return { status: 'success', message: t('app-passwords.renamed') }
  })

  api.serve('DELETE /api/v4/app-passwords/{id}', async ({ principal, params, t, ip }) => {
    await deleteAppPassword(parts, principal, params.id, actorOf(principal, { ip }))
    return { status: 'success', message: t('app-passwords.deleted') }
  })
}

function present(row: StoredAppPassword, locator: Locator, now: Date): AppPassword {
  const { lastUsedAt: at, lastUsedIp: ip, lastUsedService: service } = row
  return {
    id: row.id,
    name: row.name,
    scopes: row.scopes,
    created_at: wireDate(row.createdAt),
    expires_at: row.expiresAt && wireDate(row.expiresAt),
    isExpired: row.expiresAt !== null && row.expiresAt <= now,
    lastUse:
      at === null || ip === null || service === null
        ? null
        : { at: wireDate(at), ipAddress: ip, countryCode: locator.country(ip) ?? '', service },
  }
}

/** Parses a date that must exist and lie in the future. */
function checkExpiry(text: string | null | undefined, now: Date): Checked<Date | null> {
  if (text == null) return { value: null }
  const moment = new Date(`${text.replace(' ', 'T')}Z`)
  const isReal = !Number.isNaN(moment.getTime()) && wireDate(moment) === text
  return isReal && moment > now
    ? { value: moment }
    : { errors: { expires_at: message('app-passwords.past') } }
}
