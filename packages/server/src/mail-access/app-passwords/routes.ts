import { type AppPassword, maxAppPasswords } from '@gatehouse/contract/sessions/app-passwords'
import { wireDate } from '../../platform/clock.ts'
import type { Api } from '../../platform/http/api.ts'
import { type FieldMessages, message } from '../../platform/http/errors.ts'
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

/** Passwords of programs; only their user sees and changes them. */
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

  api.serve(
    'POST /api/v4/app-passwords',
    async ({ principal, body, t, ip }) => {
      const { name, scopes } = body
      const expiresAt = body.expires_at == null ? null : momentOf(body.expires_at)
      const wanted = { name, scopes, expiresAt }
      const made = await createAppPassword(parts, principal, wanted, actorOf(principal, { ip }))
      return { status: 'success', message: t('app-passwords.created'), username: principal.email, ...made }
    },
    { alsoCheck: (input) => expiryError(input.expires_at, clock.now()) },
  )

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
  const { last_used_at: at, last_used_ip: ip, last_used_service: service } = row
  return {
    id: row.id,
    name: row.name,
    scopes: row.scopes,
    created_at: wireDate(row.created_at),
    expires_at: row.expires_at && wireDate(row.expires_at),
    isExpired: row.expires_at !== null && row.expires_at <= now,
    lastUse:
      at === null || ip === null || service === null
        ? null
        : { at: wireDate(at), ipAddress: ip, countryCode: locator.country(ip) ?? '', service },
  }
}

/** A date of the wire; 31 November and the like are none. */
function momentOf(text: string): Date {
  return new Date(`${text.replace(' ', 'T')}Z`)
}

function expiryError(value: unknown, now: Date): Record<string, FieldMessages> {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(value)) return {}
  const moment = momentOf(value)
  const isReal = !Number.isNaN(moment.getTime()) && wireDate(moment) === value
  return isReal && moment > now ? {} : { expires_at: message('app-passwords.past') }
}
