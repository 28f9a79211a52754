import type { ApproveAnswer } from '@gatehouse/contract/sessions/oauth'
import type { default as Provider } from 'oidc-provider'
import { z } from 'zod'
import { audit } from '../../platform/audit.ts'
import { after, type Clock, hour } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Principal } from '../../platform/http/callers/principal.ts'
import { BorrowedRefused, Unauthenticated } from '../../platform/http/errors.ts'
import type { Translate } from '../../platform/i18n/translator.ts'
import type { Secrets } from '../../platform/secrets.ts'
import type { FeatureSettings } from '../../platform/settings/feature-settings.ts'
import type { SiteConfig } from '../../platform/settings/site-settings.ts'
import type { StepUp } from '../../sessions/step-up/step-up.ts'
import { actorOf } from '../../users/actor.ts'
import { webmailClient } from '../clients/built-in-clients.ts'
import type { ClientRow } from '../clients/client.ts'
import type { OpenIdProvider } from '../library/provider.ts'
import { claimTexts, grantWriting } from '../tokens/scopes.ts'
import { AnswerAddresses } from './answer-address.ts'
import {
  type AuthorizationInput,
  type AuthorizationRequest,
  readAuthorizationRequest,
} from './authorization-request.ts'
import { type Borrower, borrowerOf, recordWebmail } from './borrowed-grant.ts'
import { consentHorizon, findConsent, lendGrant, writeConsent } from './grant-store.ts'
import { sessionBegin } from './person-store.ts'

export interface ApproveParts {
  readonly config: Pick<SiteConfig, 'APP_URL'> & Pick<FeatureSettings, 'APP_WITH_LOGINAS'>
  readonly db: Db
  readonly clock: Clock
  readonly secrets: Secrets
  readonly provider: OpenIdProvider
  readonly stepUp: Pick<StepUp, 'requireFresh'>
}

export interface ApproveInput extends AuthorizationInput {
  readonly ifSeen: boolean
  readonly ticket?: string | null | undefined
}

export interface ApproveContext {
  readonly principal: Principal | undefined
  readonly t: Translate
  readonly ip: string
}

/**
 * Handles the consent screen; reference api-auth §9.2. With `ifSeen` it checks for an existing consent,
 * otherwise the user has just consented. Throws OAuthRefused, Unauthenticated if the user has to sign in
 * first, and StepUpRequired for a new consent to write scopes.
 */
export async function approve(
  parts: ApproveParts,
  input: ApproveInput,
  context: ApproveContext,
): Promise<ApproveAnswer> {
  const { principal } = context
  const mayAnswer = principal !== undefined || input.prompt?.split(' ').includes('none') === true
  if (!mayAnswer) throw new Unauthenticated()
  const library = await parts.provider.get()
  const addresses = new AnswerAddresses(parts, parts.config.APP_URL)
  const request = await readAuthorizationRequest({ db: parts.db, library, addresses }, input)
  const isSilent = request.prompts.has('none')
  if (principal === undefined) throw request.refuse('prompt', 'login_required', 'nobody is signed in')
  const { client, scopes } = request
  if (principal.impersonation !== undefined) requireWebmail(parts, client)
  const signedIn = await sessionBegin(parts.db, parts.clock, principal.sessionId)
  const ticket = signInNeeded(parts, request, input, { principal, signedIn })
  if (ticket !== undefined) return { status: 'login', ticket }
  const isSeen = await hasConsented(parts, principal, client, scopes)
  if (isSilent && !isSeen) {
    throw request.refuse('prompt', 'consent_required', 'the person has to be asked')
  }
  if (!isSilent && input.ifSeen && (!isSeen || request.prompts.has('consent'))) {
    return prompt(request, addresses, { principal, t: context.t })
  }
  const by = { principal, ip: context.ip }
  const session = { userId: principal.userId, signedIn }
  if (principal.impersonation === undefined) {
    if (!isSeen && grantWriting(scopes)) await parts.stepUp.requireFresh(principal)
    await recordConsent(parts, by, client, scopes)
    const code = await issueCode(parts, library, request, session)
    return { status: 'success', redirectUrl: addresses.of(request.place, { code }) }
  }
  await recordWebmail(parts, by, { id: principal.userId, tenantId: principal.tenantId }, client)
  const borrower = borrowerOf(principal, parts.clock)
  const code = await issueCode(parts, library, request, { ...session, borrower })
  return { status: 'success', redirectUrl: addresses.of(request.place, { code }) }
}

/** Staff impersonating a user can't authorise applications, except the webmail if that is allowed. */
function requireWebmail({ config }: ApproveParts, { builtIn }: ClientRow): void {
  if (config.APP_WITH_LOGINAS && builtIn === webmailClient) return
  throw new BorrowedRefused('impersonated')
}

/** Returns whether the user has already consented. Impersonating staff are always asked. */
async function hasConsented(
  { db, clock }: ApproveParts,
  { userId, impersonation }: Principal,
  { id }: ClientRow,
  scopes: readonly string[],
): Promise<boolean> {
  if (impersonation !== undefined) return false
  return findConsent(db, userId, id, scopes, consentHorizon(clock))
}

function prompt(
  { client, place, scopes }: AuthorizationRequest,
  addresses: AnswerAddresses,
  { principal, t }: { readonly principal: Principal; readonly t: Translate },
): ApproveAnswer {
  const { name } = client
  const claims = claimTexts(scopes, t)
  const denial = { error: 'access_denied', error_description: 'the person refused' }
  return {
    status: 'prompt',
    client: { name, title: name, url: place.redirectUri, claims, email: principal.email },
    denyUrl: addresses.of(place, denial),
  }
}

/** Stores a consent and logs it if it is new or extended. */
export async function recordConsent(
  { db, clock }: Pick<ApproveParts, 'db' | 'clock'>,
  by: { readonly principal: Principal; readonly ip: string },
  client: ClientRow,
  scopes: readonly string[],
): Promise<void> {
  const { userId, tenantId } = by.principal
  await db.transaction().execute(async (trx) => {
    if (!(await writeConsent(trx, clock, userId, client.id, scopes))) return
    await audit(trx, clock, {
      ...{ tenantId, objectType: 'user', objectId: userId, event: 'user.app-connected' },
      actor: actorOf(by.principal, by),
      data: { client: client.name, scopes: [...scopes] },
    })
  })
}

/** The user of a code, and when they signed in. */
export interface CodeSession {
  readonly userId: number
  readonly signedIn: Date
  /** Absent: the user. */
  readonly borrower?: Borrower
}

/**
 * Issues a code that the client can exchange once. Each code has its own grant, so that revoking one affects
 * no other.
 */
export async function issueCode(
  { db, clock }: Pick<ApproveParts, 'db' | 'clock'>,
  library: Provider,
  request: Pick<AuthorizationRequest, 'libraryClient' | 'place' | 'scopes' | 'nonce' | 'codeChallenge'>,
  { userId, signedIn, borrower }: CodeSession,
): Promise<string> {
  const { libraryClient, place, nonce, codeChallenge } = request
  const accountId = String(userId)
  const scope = request.scopes.join(' ')
  const grant = new library.Grant({
    ...{ accountId, clientId: libraryClient.clientId },
    ...(borrower && { expiresIn: secondsUntil(clock, borrower.endsAt) }),
  })
  grant.addOIDCScope(scope)
  const grantId = await grant.save()
  if (borrower !== undefined) await lendGrant(db, grantId, borrower)
  const code = new library.AuthorizationCode({
    ...{ accountId, client: libraryClient, grantId, gty: 'authorization_code', scope },
    redirectUri: place.redirectUri,
    authTime: Math.floor(signedIn.getTime() / 1000),
    ...(nonce !== undefined && { nonce }),
    ...(codeChallenge !== undefined && { codeChallenge, codeChallengeMethod: 'S256' }),
  })
  return code.save()
}

/** At least one, the library's minimum. */
function secondsUntil(clock: Clock, moment: Date): number {
  return Math.max(1, Math.floor((moment.getTime() - clock.now().getTime()) / 1000))
}

const ticketPurpose = 'oauth-sign-in-ticket'
const ticketFacts = z.object({ client: z.string(), since: z.number() })

/**
 * Returns a ticket for a new sign-in if the request requires one: `prompt=login`, a sign-in that is too old,
 * or another user than expected. A sign-in after the ticket was issued satisfies it.
 */
function signInNeeded(
  { clock, secrets }: ApproveParts,
  request: AuthorizationRequest,
  { ticket }: ApproveInput,
  { principal, signedIn }: { readonly principal: Principal; readonly signedIn: Date },
): string | undefined {
  const { client, prompts, maxAge, expectedUser } = request
  const now = clock.now()
  const isOther = expectedUser !== undefined && expectedUser !== String(principal.userId)
  const isOld = maxAge !== undefined && after(signedIn, maxAge) < now
  const isAsked = prompts.has('login') || prompts.has('select_account')
  if (!isOther && !isOld && !isAsked) return undefined
  // staff can't sign in as the impersonated user
  if (prompts.has('none') || principal.impersonation !== undefined)
    throw request.refuse('prompt', 'login_required', 'a new sign-in is needed')
  const facts = readTicket(secrets, ticket)
  const isFresh =
    facts?.client === client.id && signedIn.getTime() >= facts.since && after(signedIn, hour) > now
  if (!isFresh) {
    const fresh = { client: client.id, since: now.getTime() }
    return secrets.tokens.encrypt(ticketPurpose, JSON.stringify(fresh)).toString('base64url')
  }
  if (isOther) {
    throw request.refuse('id_token_hint', 'login_required', 'somebody else has signed in')
  }
  return undefined
}

function readTicket(secrets: Secrets, ticket: string | null | undefined) {
  if (ticket == null) return undefined
  try {
    const text = secrets.tokens.decrypt(ticketPurpose, Buffer.from(ticket, 'base64url'))
    return ticketFacts.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}
