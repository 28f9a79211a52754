import type { RouteDefinition } from '@gatehouse/contract/route'
import { routes } from '@gatehouse/contract/routes'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  type MadeUser,
  makeController,
  makeDelegation,
  makeDomain,
  makeTenant,
  makeUser,
  signInAs,
} from '../testing/factories.ts'
import { type MadeClient, makeClient, obtainTokens } from '../testing/oauth.ts'
import { useTestApp } from '../testing/test-app.ts'

const app = useTestApp()

/** The callers; calls are about a user (`self`), another object in the owner's account, or that account. */
const people = ['owner', 'controller', 'self', 'delegate', 'stranger', 'otherTenant', 'nobody'] as const
type Person = (typeof people)[number]

/** Callers without their own column: on every call each gets the same as another person. */
const alike = [
  { caller: 'admin', as: 'ordinary' },
  { caller: 'reseller', as: 'ordinary' },
  { caller: 'foreignAdmin', as: 'foreignOrdinary' },
  { caller: 'foreignReseller', as: 'foreignOrdinary' },
] as const
type Caller = (typeof alike)[number]['caller' | 'as']

/** A caller's credentials: a session, or the token of an application with the scope `api`. */
const means = ['session', 'app'] as const
type Means = (typeof means)[number]

/**
 * The responses to a call with empty input about such an object, in the order of `people`. 422 means allowed,
 * but the input is incomplete; 404 for the owner means allowed, but there is no such object. Calls that don't
 * authenticate are listed in platform/http/public-calls.test.ts.
 */
// biome-ignore format: a table
const expected: Readonly<Record<string, string>> = {
  //                                         owner contr self  deleg stran tenan nobody
  'GET /api/v4/users':                       '200   200   200   200   200   200   401',
  'POST /api/v4/users':                      '422   422   403   403   422   422   401',
  'GET /api/v4/users/{id}':                  '200   200   200   403   403   404   401',
  'PUT /api/v4/users/{id}':                  '200   200   200   403   403   404   401',
  'DELETE /api/v4/users/{id}':               '200   200   403   403   403   404   401',
  // an active user can't be restored; restore-user.test.ts covers deleted ones
  'POST /api/v4/users/{id}/restore':         '404   404   404   404   404   404   401',
  'GET /api/v4/users/{id}/status':           '200   200   200   403   403   404   401',
  'GET /api/v4/users/{id}/events':           '200   200   403   403   403   404   401',
  'GET /api/v4/users/{id}/skus':             '200   200   200   403   403   404   401',
  'POST /api/v4/users/{id}/config':          '200   200   403   403   403   404   401',
  'GET /api/v4/users/{id}/effective':        '200   200   200   403   403   404   401',
  'GET /api/v4/policies':                    '200   200   403   403   200   200   401',
  'GET /api/v4/booking-requests':           '200   200   200   200   200   200   401',
  'POST /api/v4/booking-requests/{id}/answer':  '422   422   422   422   422   422   401',
  'POST /api/v4/policies/preview':           '200   200   403   403   200   200   401',
  'GET /api/v4/users/{id}/delegations':      '200   200   200   403   403   404   401',
  'GET /api/v4/users/{id}/delegators':       '200   200   200   403   403   404   401',
  'POST /api/v4/users/{id}/delegations':     '422   422   422   403   403   404   401',
  'PUT /api/v4/users/{id}/delegations/{email}':    '404   404   404   403   403   404   401',
  'DELETE /api/v4/users/{id}/delegations/{email}': '404   404   404   403   403   404   401',
  'GET /api/v4/users/summary':               '200   200   200   200   200   200   401',
  'POST /api/v4/users/batch':                '422   422   403   403   422   422   401',
  'POST /api/v4/bulk':                       '422   422   403   403   422   422   401',
  'POST /api/v4/imports':                    '422   422   403   403   422   422   401',
  'GET /api/v4/users/export':                '200   200   200   200   200   200   401',
  'GET /api/v4/groups/export':               '200   200   200   200   200   200   401',
  'GET /api/v4/domains/export':              '200   200   200   200   200   200   401',
  'GET /api/v4/resources/export':            '200   200   200   200   200   200   401',
  'GET /api/v4/shared-folders/export':       '200   200   200   200   200   200   401',
  'GET /api/v4/batches':                     '200   200   200   200   200   200   401',
  // a user id is no batch id; bulk.test.ts covers batches
  'GET /api/v4/batches/{id}':                '404   404   404   404   404   404   401',
  'GET /api/v4/batches/{id}/rows':           '404   404   404   404   404   404   401',
  'GET /api/v4/batches/{id}/links':          '404   404   404   404   404   404   401',
  'GET /api/v4/batches/{id}/export':         '404   404   404   404   404   404   401',
  'POST /api/v4/batches/{id}/start':         '404   404   404   404   404   404   401',
  'POST /api/v4/batches/{id}/cancel':        '404   404   404   404   404   404   401',
  'GET /api/v4/state':                       '200   200   403   403   200   200   401',
  'POST /api/v4/plans':                      '422   422   403   403   422   422   401',
  // a user id is no plan id; plans.test.ts covers plans
  'GET /api/v4/plans/{id}':                  '404   404   404   404   404   404   401',
  'GET /api/v4/plans/{id}/steps':            '404   404   404   404   404   404   401',
  'POST /api/v4/plans/{id}/apply':           '404   404   404   404   404   404   401',
  'POST /api/v4/plans/{id}/undo':            '404   404   404   404   404   404   401',
  'GET /api/v4/addresses/deleted':           '422   422   422   422   422   422   401',
  'POST /api/v4/addresses/release':          '422   422   422   422   422   422   401',
  'GET /api/v4/search':                      '200   200   200   200   200   200   401',
  'GET /api/v4/search/self':                 '200   200   200   200   200   200   401',
  'GET /api/v4/search/user':                 '404   404   404   404   404   404   401',
  'GET /api/v4/search/contacts':             '200   200   200   200   200   200   401',
  'GET /api/v4/config/webmail':              '200   200   200   200   200   200   401',
  'GET /api/v4/overview':                    '200   200   200   200   200   200   401',
  'GET /api/v4/domains':                     '200   200   200   200   200   200   401',
  // the other tenant sells no public domains, so its users may add their own
  'POST /api/v4/domains':                    '422   422   403   403   403   422   401',
  'GET /api/v4/domains/{id}':                '200   200   403   403   403   404   401',
  'DELETE /api/v4/domains/{id}':             '200   200   403   403   403   404   401',
  'POST /api/v4/domains/{id}/restore':       '200   200   403   403   403   404   401',
  'GET /api/v4/domains/{id}/skus':           '200   200   403   403   403   404   401',
  'GET /api/v4/domains/{id}/status':         '200   200   403   403   403   404   401',
  'GET /api/v4/domains/{id}/confirm':        '200   200   403   403   403   404   401',
  'POST /api/v4/domains/{id}/confirm':       '200   200   403   403   403   404   401',
  'POST /api/v4/domains/{id}/dns-check':     '200   200   403   403   403   404   401',
  'POST /api/v4/domains/{id}/config':        '200   200   403   403   403   404   401',
  // own factors: there is no such factor, and no challenge to answer
  'GET /api/v4/factors':                     '200   200   200   200   200   200   401',
  'POST /api/v4/factors/totp':               '200   200   200   200   200   200   401',
  'POST /api/v4/factors/totp/{id}/confirm':  '422   422   422   422   422   422   401',
  'PUT /api/v4/factors/totp/{id}':           '422   422   422   422   422   422   401',
  'DELETE /api/v4/factors/totp/{id}':        '404   404   404   404   404   404   401',
  'POST /api/v4/factors/recovery-codes':     '422   422   422   422   422   422   401',
  'POST /api/v4/factors/passkeys/options':   '200   200   200   200   200   200   401',
  'POST /api/v4/factors/passkeys':           '422   422   422   422   422   422   401',
  'PUT /api/v4/factors/passkeys/{id}':       '422   422   422   422   422   422   401',
  'DELETE /api/v4/factors/passkeys/{id}':    '404   404   404   404   404   404   401',
  'POST /api/auth/step-up/options':          '200   200   200   200   200   200   401',
  'POST /api/auth/step-up':                  '422   422   422   422   422   422   401',
  'GET /api/v4/events':                      '200   200   200   200   200   200   401',
  'GET /api/v4/events/feed':                 '200   200   200   200   200   200   401',
  'GET /api/v4/mail/messages':               '200   200   200   200   200   200   401',
  'POST /api/v4/mail/let-through':           '422   422   422   422   422   422   401',
  'GET /api/v4/mail/allowed-senders':        '200   200   200   200   200   200   401',
  'POST /api/v4/mail/allowed-senders':       '422   422   422   422   422   422   401',
  'POST /api/v4/mail/allowed-senders/remove': '422   422   422   422   422   422   401',
  'GET /api/v4/mail/held':                   '200   200   403   403   200   200   401',
  'POST /api/v4/mail/held/{id}/release':     '404   404   403   403   404   404   401',
  'POST /api/v4/mail/held/{id}/discard':     '404   404   403   403   404   404   401',
  'GET /api/v4/users/{id}/mail-filters':     '200   200   200   403   403   404   401',
  'PUT /api/v4/users/{id}/mail-filters':     '422   422   422   403   403   404   401',
  'GET /api/v4/users/{id}/mail-imports':     '200   200   200   403   403   404   401',
  'POST /api/v4/users/{id}/mail-imports':    '422   422   422   403   403   404   401',
  'POST /api/v4/users/{id}/mail-imports/preview':         '422   422   422   403   403   404   401',
  'GET /api/v4/users/{id}/mail-imports/{import}':         '404   404   404   403   403   404   401',
  'POST /api/v4/users/{id}/mail-imports/{import}/cancel': '404   404   404   403   403   404   401',
  'POST /api/v4/users/{id}/mail-imports/{import}/again':  '404   404   404   403   403   404   401',
  'GET /api/v4/users/{id}/deleted-mail':     '200   200   200   403   403   404   401',
  'POST /api/v4/users/{id}/deleted-mail/messages': '422   422   422   403   403   404   401',
  'POST /api/v4/users/{id}/deleted-mail/folders': '422   422   422   403   403   404   401',
  'GET /api/v4/device-setup':                '200   200   200   200   200   200   401',
  'POST /api/v4/users/preview':              '422   422   403   403   422   422   401',
  'POST /api/v4/users/{id}/preview':         '422   422   403   403   403   404   401',
  'POST /api/v4/subscriptions/preview':      '422   422   422   422   422   422   401',
  'GET /api/v4/skus':                        '200   200   200   200   200   200   401',
  'GET /api/v4/packages':                    '200   200   200   200   200   200   401',
  'GET /api/v4/wallets/{id}':                '200   200   403   403   403   404   401',
  'GET /api/v4/wallets/{id}/transactions':   '200   200   403   403   403   404   401',
  'GET /api/v4/wallets/{id}/transactions/csv': '200   200   403   403   403   404   401',
  'GET /api/v4/wallets/{id}/chain':          '200   200   403   403   403   404   401',
  'GET /api/v4/wallets/{id}/receipts':       '200   200   403   403   403   404   401',
  // without a payment there is no receipt; receipts/routes.test.ts covers existing ones
  'GET /api/v4/wallets/{id}/receipts/{period}': '404   404   403   403   403   404   401',
  'GET /api/v4/wallets/{id}/costs':          '200   200   403   403   403   404   401',
  'GET /api/v4/wallets/{id}/forecast':       '200   200   403   403   403   404   401',
  'GET /api/v4/wallets/{id}/referral-programs': '200   200   403   403   403   404   401',
  'GET /api/v4/wallets/{id}/settings':       '200   200   403   403   403   404   401',
  'PUT /api/v4/wallets/{id}/settings':       '200   200   403   403   403   404   401',
  'GET /api/v4/wallets/{id}/controllers':    '200   200   403   403   403   404   401',
  'POST /api/v4/wallets/{id}/controllers':   '422   422   403   403   403   404   401',
  // there is no such controller, invitation or offer; owners/owners.test.ts covers existing ones
  'DELETE /api/v4/wallets/{id}/controllers/{user}': '404   404   403   403   403   404   401',
  'DELETE /api/v4/wallets/{id}/invitations/{invitation}': '404   404   403   403   403   404   401',
  'POST /api/v4/wallets/{id}/owner':         '422   403   403   403   403   404   401',
  'DELETE /api/v4/wallets/{id}/owner':       '404   403   403   403   403   404   401',
  'GET /api/v4/account-offers/{code}':       '404   404   404   404   404   404   401',
  'POST /api/v4/account-offers/{code}/accept': '404   404   404   404   404   404   401',
  // own wallet: users who control no account have none to pay with; there is no payment yet
  'POST /api/v4/payments':                   '422   422   403   403   422   422   401',
  'POST /api/v4/payments/preview':           '422   422   403   403   422   422   401',
  'GET /api/v4/payments/methods':            '422   422   422   422   422   422   401',
  'GET /api/v4/payments/has-pending':        '200   200   403   403   200   200   401',
  'GET /api/v4/payments/pending':            '200   200   403   403   200   200   401',
  'GET /api/v4/payments/status':             '404   404   403   403   404   404   401',
  'DELETE /api/v4/payments/{id}':            '404   404   403   403   404   404   401',
  // no one has auto-payment here
  'GET /api/v4/payments/mandate':            '200   200   403   403   200   200   401',
  'POST /api/v4/payments/mandate':           '422   422   403   403   422   422   401',
  'PUT /api/v4/payments/mandate':            '404   404   403   403   404   404   401',
  'DELETE /api/v4/payments/mandate':         '404   404   403   403   404   404   401',
  // starts a setup, since all of its input is optional
  'POST /api/v4/payments/mandate/reset':     '200   200   403   403   200   200   401',
  'GET /api/v4/groups':                      '200   200   200   200   200   200   401',
  'POST /api/v4/groups':                     '422   422   403   403   403   422   401',
  'GET /api/v4/groups/{id}':                 '200   200   403   403   403   404   401',
  'PUT /api/v4/groups/{id}':                 '200   200   403   403   403   404   401',
  'DELETE /api/v4/groups/{id}':              '200   200   403   403   403   404   401',
  'POST /api/v4/groups/{id}/restore':        '404   404   404   404   404   404   401',
  'GET /api/v4/groups/{id}/skus':            '200   200   403   403   403   404   401',
  'GET /api/v4/groups/{id}/status':          '200   200   403   403   403   404   401',
  'POST /api/v4/groups/{id}/config':         '200   200   403   403   403   404   401',
  'GET /api/v4/resources':                   '200   200   200   200   200   200   401',
  'POST /api/v4/resources':                  '422   422   403   403   403   422   401',
  'GET /api/v4/resources/{id}':              '200   200   403   403   403   404   401',
  'PUT /api/v4/resources/{id}':              '200   200   403   403   403   404   401',
  'DELETE /api/v4/resources/{id}':           '200   200   403   403   403   404   401',
  'POST /api/v4/resources/{id}/restore':     '404   404   404   404   404   404   401',
  'GET /api/v4/resources/{id}/skus':         '200   200   403   403   403   404   401',
  'GET /api/v4/resources/{id}/status':       '200   200   403   403   403   404   401',
  'POST /api/v4/resources/{id}/config':      '200   200   403   403   403   404   401',
  'GET /api/v4/shared-folders':              '200   200   200   200   200   200   401',
  'POST /api/v4/shared-folders':             '422   422   403   403   403   422   401',
  'GET /api/v4/shared-folders/{id}':         '200   200   403   403   403   404   401',
  'PUT /api/v4/shared-folders/{id}':         '200   200   403   403   403   404   401',
  'DELETE /api/v4/shared-folders/{id}':      '200   200   403   403   403   404   401',
  'POST /api/v4/shared-folders/{id}/restore': '404   404   404   404   404   404   401',
  'GET /api/v4/shared-folders/{id}/skus':    '200   200   403   403   403   404   401',
  'GET /api/v4/shared-folders/{id}/status':  '200   200   403   403   403   404   401',
  'POST /api/v4/shared-folders/{id}/config': '200   200   403   403   403   404   401',
  // a user id is no file id; files/access.test.ts covers files
  'GET /api/v4/fs':                          '200   200   200   200   200   200   401',
  'POST /api/v4/fs':                         '422   422   422   422   422   422   401',
  'GET /api/v4/fs/{id}':                     '404   404   404   404   404   404   401',
  'PUT /api/v4/fs/{id}':                     '404   404   404   404   404   404   401',
  'DELETE /api/v4/fs/{id}':                  '404   404   404   404   404   404   401',
  'POST /api/v4/fs/{id}/copy':               '404   404   404   404   404   404   401',
  'POST /api/v4/fs/move':                    '422   422   422   422   422   422   401',
  'POST /api/v4/fs/zip':                     '422   422   422   422   422   422   401',
  'GET /api/v4/fs/{id}/thumbnail':           '404   404   404   404   404   404   401',
  'GET /api/v4/fs/uploads':                  '200   200   200   200   200   200   401',
  'POST /api/v4/fs/uploads/{uploadId}':      '404   404   404   404   404   404   404',
  'GET /api/v4/fs/uploads/{uploadId}':       '404   404   404   404   404   404   404',
  'DELETE /api/v4/fs/uploads/{uploadId}':    '404   404   404   404   404   404   404',
  'GET /api/v4/fs/{id}/versions':            '404   404   404   404   404   404   401',
  'GET /api/v4/fs/{id}/versions/{version}':  '404   404   404   404   404   404   401',
  'POST /api/v4/fs/{id}/versions/{version}/restore': '404   404   404   404   404   404   401',
  'DELETE /api/v4/fs/{id}/versions/{version}': '404   404   404   404   404   404   401',
  'GET /api/v4/fs/{id}/events':              '404   404   404   404   404   404   401',
  'GET /api/v4/fs/trash':                    '200   200   200   200   200   200   401',
  'POST /api/v4/fs/trash':                   '422   422   422   422   422   422   401',
  'DELETE /api/v4/fs/trash':                 '200   200   200   200   200   200   401',
  'POST /api/v4/fs/trash/restore':           '422   422   422   422   422   422   401',
  'DELETE /api/v4/fs/trash/{id}':            '404   404   404   404   404   404   401',
  'GET /api/v4/fs/quota':                    '200   200   200   200   200   200   401',
  'GET /api/v4/fs/{id}/permissions':         '404   404   404   404   404   404   401',
  'POST /api/v4/fs/{id}/permissions':        '404   404   404   404   404   404   401',
  'PUT /api/v4/fs/{id}/permissions/{permission}': '404   404   404   404   404   404   401',
  'DELETE /api/v4/fs/{id}/permissions/{permission}': '404   404   404   404   404   404   401',
  'GET /api/v4/fs/shared':                   '200   200   200   200   200   200   401',
  'GET /api/v4/fs/{id}/links':               '404   404   404   404   404   404   401',
  'POST /api/v4/fs/{id}/links':              '404   404   404   404   404   404   401',
  'PUT /api/v4/fs/{id}/links/{link}':        '404   404   404   404   404   404   401',
  'DELETE /api/v4/fs/{id}/links/{link}':     '404   404   404   404   404   404   401',
  // staff have no access to rooms; meet/rooms.test.ts covers people a room is shared with
  'GET /api/v4/rooms':                       '200   200   200   200   200   200   401',
  'POST /api/v4/rooms':                      '200   200   403   403   200   403   401',
  'GET /api/v4/rooms/{id}':                  '200   200   403   403   403   404   401',
  'PUT /api/v4/rooms/{id}':                  '200   200   403   403   403   404   401',
  'DELETE /api/v4/rooms/{id}':               '200   200   403   403   403   404   401',
  'POST /api/v4/rooms/{id}/restore':         '404   404   404   404   404   404   401',
  'GET /api/v4/rooms/{id}/skus':             '200   200   403   403   403   404   401',
  'POST /api/v4/rooms/{id}/config':          '200   200   403   403   403   404   401',
  // there is no room of that name; meet/door.test.ts covers existing ones
  'POST /api/v4/meet/rooms/{name}':          '404   404   404   404   404   404   404',
  'POST /api/v4/password-reset/code':        '200   200   200   200   200   200   401',
  'DELETE /api/v4/password-reset/code/{id}': '404   404   404   404   404   404   401',
  'GET /api/v4/app-passwords':               '200   200   200   200   200   200   401',
  'POST /api/v4/app-passwords':              '422   422   422   422   422   422   401',
  // a user id is no app password or session id; those have their own tests
  'PUT /api/v4/app-passwords/{id}':          '422   422   422   422   422   422   401',
  'DELETE /api/v4/app-passwords/{id}':       '404   404   404   404   404   404   401',
  // own keys; a user id is no key id, and api-keys.test.ts covers existing ones
  'GET /api/v4/api-keys':                    '200   200   200   200   200   200   401',
  'POST /api/v4/api-keys':                   '422   422   422   422   422   422   401',
  'PUT /api/v4/api-keys/{id}':               '404   404   404   404   404   404   401',
  'POST /api/v4/api-keys/{id}/rotate':       '422   422   422   422   422   422   401',
  'DELETE /api/v4/api-keys/{id}':            '404   404   404   404   404   404   401',
  // own exports; data-export.test.ts covers those of an account
  'GET /api/v4/exports':                     '200   200   200   200   200   200   401',
  'POST /api/v4/exports':                    '422   422   422   422   422   422   401',
  'POST /api/v4/exports/{id}/download':      '404   404   404   404   404   404   401',
  'DELETE /api/v4/exports/{id}':             '404   404   404   404   404   404   401',
  // webhooks.test.ts covers existing ones
  'GET /api/v4/webhooks':                    '200   403   403   403   200   200   401',
  'POST /api/v4/webhooks':                   '422   403   403   403   422   422   401',
  'PUT /api/v4/webhooks/{id}':               '404   403   403   403   404   404   401',
  'DELETE /api/v4/webhooks/{id}':            '404   403   403   403   404   404   401',
  'POST /api/v4/webhooks/{id}/rotate':       '404   403   403   403   404   404   401',
  'POST /api/v4/webhooks/{id}/pause':        '404   403   403   403   404   404   401',
  'POST /api/v4/webhooks/{id}/resume':       '404   403   403   403   404   404   401',
  'POST /api/v4/webhooks/{id}/replay':       '404   403   403   403   404   404   401',
  'POST /api/v4/webhooks/{id}/test':         '404   403   403   403   404   404   401',
  'GET /api/v4/webhooks/{id}/deliveries':    '404   403   403   403   404   404   401',
  'GET /api/v4/sessions':                    '200   200   200   200   200   200   401',
  'GET /api/v4/sign-ins':                    '200   200   200   200   200   200   401',
  'DELETE /api/v4/sessions/{id}':            '404   404   404   404   404   404   401',
  'POST /api/v4/sessions/revoke-others':     '200   200   200   200   200   200   401',
  'POST /api/v4/users/{id}/sign-out':        '200   200   200   403   403   404   401',
  // for the caller
  'POST /api/v4/lockdown':                   '200   200   200   200   200   200   401',
  'GET /api/auth/info':                      '200   200   200   200   200   200   401',
  'POST /api/auth/info':                     '200   200   200   200   200   200   401',
  'GET /api/auth/location':                  '200   200   200   200   200   200   401',
  'POST /api/auth/logout':                   '200   200   200   200   200   200   401',
  // allowed, but there is no client
  'POST /api/oauth/approve':                 '422   422   422   422   422   422   401',
  'POST /api/oauth/device':                  '422   422   422   422   422   422   401',
  'GET /oauth/tokens':                       '200   200   200   200   200   200   401',
  'DELETE /oauth/tokens/{id}':               '404   404   404   404   404   404   401',
  'GET /api/v4/consents':                    '200   200   200   200   200   200   401',
  'DELETE /api/v4/consents/{client}':        '404   404   404   404   404   404   401',
  // disabled here; oauth/webmail-login.test.ts covers it enabled
  'POST /api/v4/users/{id}/login-as':        '404   404   404   404   404   404   404',
  'POST /api/auth/password-policy-check':    '200   200   200   200   200   200   200',
  // own devices and sign-ins: there are none here, and device calls need a device session
  'GET /api/v4/companions':                  '200   200   200   200   200   200   401',
  'POST /api/v4/companions':                 '422   422   422   422   422   422   401',
  'GET /api/v4/companions/{id}':             '404   404   404   404   404   404   401',
  'GET /api/v4/companions/{id}/pairing':     '404   404   404   404   404   404   401',
  'DELETE /api/v4/companions/{id}':          '404   404   404   404   404   404   401',
  'POST /api/v4/companion/register':         '422   422   422   422   422   422   401',
  'GET /api/v4/companion':                   '403   403   403   403   403   403   401',
  'POST /api/v4/companion/push':             '403   403   403   403   403   403   401',
  'POST /api/v4/companion/unpair':           '403   403   403   403   403   403   401',
  'GET /api/v4/auth-attempts':               '200   200   200   200   200   200   401',
  'GET /api/v4/auth-attempts/waiting':       '200   200   200   200   200   200   401',
  'GET /api/v4/auth-attempts/{id}/details':  '404   404   404   404   404   404   401',
  'POST /api/v4/auth-attempts/{id}/confirm': '404   404   404   404   404   404   401',
  'POST /api/v4/auth-attempts/{id}/deny':    '404   404   404   404   404   404   401',
}

const made = new Map<Person | Caller, MadeUser>()
let walletId = ''
let client: MadeClient

beforeAll(async () => {
  await makeDomain(app(), 'example.test')
  const tenantId = await makeTenant(app(), 9)
  const owner = await makeUser(app(), { email: 'owner@example.test', plan: 'group' })
  walletId = owner.walletId
  made.set('owner', owner)
  await makeDomain(app(), 'own.test', { type: 4, status: 50, walletId })
  const controller = await makeUser(app(), { walletId })
  await makeController(app(), controller, walletId)
  made.set('controller', controller)
  // a user in the account who is a delegate in the groupware, which grants no rights here
  made.set('delegate', await makeUser(app(), { walletId }))
  made.set('stranger', await makeUser(app()))
  made.set('otherTenant', await makeUser(app(), { tenantId }))
  made.set('ordinary', await makeUser(app()))
  made.set('reseller', await makeUser(app(), { role: 'reseller' }))
  made.set('admin', await makeUser(app(), { role: 'admin' }))
  made.set('foreignOrdinary', await makeUser(app(), { tenantId }))
  made.set('foreignReseller', await makeUser(app(), { role: 'reseller', tenantId }))
  made.set('foreignAdmin', await makeUser(app(), { role: 'admin', tenantId }))
  client = await makeClient(app())
})

/** Creates an object in the account of the kind a call is about, and the user `self`, who may be that object. */
async function makeTarget(path: string): Promise<{ user: MadeUser; path: string }> {
  const user = await makeUser(app(), { walletId })
  return { user, path: path.replace('{id}', String(await objectFor(path, user.id))) }
}

/**
 * Makes the call once as each person. They share a target and keep their sessions while calls change nothing; a
 * call that may have changed something is followed by a new target and a new session.
 */
async function statusesOf(key: string): Promise<Record<Person, number>> {
  const [, path = ''] = key.split(' ')
  const statuses: [Person, number][] = []
  let target: Awaited<ReturnType<typeof makeTarget>> | undefined
  for (const person of people) {
    target ??= await makeTarget(path)
    const caller = person === 'self' ? target.user : made.get(person)
    const token = caller && (await sessionOf(caller))
    if (person === 'delegate' && caller !== undefined) await makeDelegation(app(), target.user, caller)
    const status = await ask(key, target.path, token)
    statuses.push([person, status])
    if (status === 200 && !key.startsWith('GET ')) {
      target = undefined
      if (caller !== undefined) sessions.delete(caller.id)
    }
  }
  return Object.fromEntries(statuses) as Record<Person, number> // one for each person
}

const sessions = new Map<number, string>()

async function sessionOf(user: MadeUser): Promise<string> {
  const token = sessions.get(user.id) ?? (await signInAs(app(), user)).access_token
  sessions.set(user.id, token)
  return token
}

async function ask(key: string, path: string, token: string | undefined): Promise<number> {
  const [method = ''] = key.split(' ')
  return (await app().call(`${method} ${path}`, { token, ...(method !== 'GET' && { body: {} }) })).status
}

const tokens = new Map<string, string>()

/** Makes the same call as people without rights on the object, with tokens kept until a call ends them. */
async function answerTo(key: string, path: string, caller: Caller, by: Means): Promise<number> {
  const name = `${caller} ${by}`
  const kept = tokens.get(name)
  const status = kept === undefined ? 401 : await ask(key, path, kept)
  if (status !== 401) return status
  const token = await tokenOf(madeAs(caller), by)
  tokens.set(name, token)
  return ask(key, path, token)
}

async function tokenOf(user: MadeUser, by: Means): Promise<string> {
  const { access_token: token } = await signInAs(app(), user)
  if (by === 'session') return token
  return (await obtainTokens(app(), { user, token }, client, { scope: 'openid api' })).access_token
}

/** Creates the domain, list, resource, folder or room a call is about; else returns the wallet or the user. */
async function objectFor(path: string, userId: number): Promise<string | number> {
  const [, collection = ''] = /^\/api\/v4\/([a-z-]+)\/\{id\}/.exec(path) ?? []
  if (collection === 'wallets') return walletId
  if (collection === 'domains') return makeTargetDomain(path, userId)
  if (!['groups', 'resources', 'shared-folders', 'rooms'].includes(collection)) return userId
  const token = await sessionOf(madeAs('owner'))
  const name = `Object ${userId}`
  const body = { email: `o${userId}@own.test`, members: ['x@y.test'], domain: 'own.test', type: 'mail', name }
  return (await app().call(`POST /api/v4/${collection}`, { token, body })).body.id as number // otherwise the call fails
}

async function makeTargetDomain(path: string, number: number): Promise<number> {
  const id = await makeDomain(app(), `target${number}.test`, { type: 4, walletId })
  const change = { deletedAt: path.endsWith('/restore') ? app().clock.now() : null }
  await app().database.db.updateTable('domains').set(change).where('id', '=', id).execute()
  return id
}

function madeAs(name: Person | Caller): MadeUser {
  const user = made.get(name)
  if (user === undefined) throw new Error(`${name} is made before all tests`)
  return user
}

/** Calls with a token on the users' host; staff calls have their own table. */
const table = (Object.entries(routes) as [string, RouteDefinition][]) // the keys of an object literal
  .filter(([, { auth, hosts }]) => auth !== 'public' && (hosts?.includes('user') ?? true))

describe('permission to make a call', () => {
  test('is listed in the table for exactly the calls of the contract', () => {
    expect(Object.keys(expected).sort()).toEqual(table.map(([key]) => key).sort())
  })

  test.each(table)('%s', async (key) => {
    const wanted = (expected[key] ?? '').split(/ +/).map(Number)
    expect(await statusesOf(key)).toEqual(
      Object.fromEntries(people.map((person, index) => [person, wanted[index]])),
    )
  })

  test.each(table)('%s grants staff no staff rights', async (key) => {
    const [, path = ''] = key.split(' ')
    const { path: about } = await makeTarget(path)
    for (const by of means) {
      const usual = new Map<Caller, number>()
      for (const { caller, as } of alike) {
        // once each, because a second call may find what the first one left
        const wanted = usual.get(as) ?? (await answerTo(key, about, as, by))
        usual.set(as, wanted)
        expect(await answerTo(key, about, caller, by), `${caller} by ${by}`).toBe(wanted)
      }
    }
  })
})

test('no controller can change the owner, and permission flags match what calls allow', async () => {
  const owner = madeAs('owner')
  for (const [person, caller] of made) {
    const { access_token: token } = await signInAs(app(), caller)
    const target = await makeUser(app(), { walletId })
    for (const id of [owner.id, target.id]) {
      const shown = await app().call(`GET /api/v4/users/${id}`, { token })
      if (shown.status !== 200) continue
      const { canUpdate, canEditAliases, canEditSubscriptions, canReadEvents, canDelete } = shown.body
      const { canConfigure, canDelegate } = shown.body
      const status = async (route: string, body?: unknown) =>
        (await app().call(route, { token, body })).status
      const about = `${person} about ${id === owner.id ? 'the owner' : 'a user'}`
      expect((await status(`PUT /api/v4/users/${id}`, {})) === 200, about).toBe(canUpdate)
      expect((await status(`PUT /api/v4/users/${id}`, { aliases: [] })) === 200, about).toBe(canEditAliases)
      const skus = await status(`PUT /api/v4/users/${id}`, { skus: {} })
      expect(skus === 422, about).toBe(canEditSubscriptions)
      expect((await status(`GET /api/v4/users/${id}/events`)) === 200, about).toBe(canReadEvents)
      const config = await status(`POST /api/v4/users/${id}/config`, { guam_enabled: false })
      expect(config === 200, about).toBe(canConfigure)
      const delegations = await status(`POST /api/v4/users/${id}/delegations`, {})
      expect(delegations === 422, about).toBe(canDelegate)
      // deleting the owner would end the account that the others are tested in
      if (id === target.id)
        expect((await status(`DELETE /api/v4/users/${id}`)) === 200, about).toBe(canDelete)
      else if (person !== 'owner') expect(canDelete, about).toBe(false)
    }
  }
})
