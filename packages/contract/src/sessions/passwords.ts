import { z } from 'zod'
import { objectId } from '../directory/users.ts'
import { emailAddress } from '../email-address.ts'
import { successEnvelope, wireDate } from '../envelope.ts'
import { callersWithoutKeys, defineRoutes } from '../route.ts'
import { signInWaiting, stillWaiting } from './companions.ts'
import { factorProof } from './proofs.ts'
import { sessionResponse } from './sessions.ts'

/** Rules of a password policy; `min`, `max` and `last` have a number. */
export const passwordRules = ['min', 'max', 'lower', 'upper', 'digit', 'special', 'last'] as const

export type PasswordRuleName = (typeof passwordRules)[number]

/**
 * Rules that apply regardless of the policy: neither a common password nor one derived from personal data.
 */
export const fixedPasswordRules = ['common', 'personal'] as const

export type FixedPasswordRule = (typeof fixedPasswordRules)[number]

export const passwordRule = z.object({
  label: z.enum([...passwordRules, ...fixedPasswordRules]),
  name: z.string(),
  param: z.string().nullable(),
  enabled: z.boolean(),
  status: z.boolean(),
})

export type PasswordRule = z.infer<typeof passwordRule>

/** 32 letters and digits. */
export const longCode = z.string().max(64)

export const shortCode = z.string().max(32)

const resetCode = { code: longCode, short_code: shortCode }

export const newPassword = {
  password: z.string().max(1024),
  password_confirmation: z.string().max(1024).nullish(),
}

export const passwordRoutes = defineRoutes({
  'POST /api/auth/password-policy-check': {
    summary: "Check a password against the system's policy, or that of `user` if the caller can read it",
    tag: 'Passwords',
    auth: 'optional',
    openTo: callersWithoutKeys,
    scopes: ['api', 'enrol'],
    whenSuspended: 'allowed',
    whenLocked: 'allowed',
    body: z.object({
      password: z.string().max(1024).nullish(),
      user: z.union([z.number(), z.string()]).nullish(),
      /** A reset code is used instead of a session. */
      code: longCode.nullish(),
      short_code: shortCode.nullish(),
      /** Other form values: the password must not be derived from these either. */
      email: z.string().max(1024).nullish(),
      external_email: z.string().max(1024).nullish(),
      first_name: z.string().max(1024).nullish(),
      last_name: z.string().max(1024).nullish(),
      organization: z.string().max(1024).nullish(),
    }),
    ok: z.object({
      status: z.enum(['success', 'error']),
      list: z.array(passwordRule),
      count: z.number().int(),
    }),
    errors: [422, 429],
  },
  'POST /api/auth/password-reset/init': {
    summary: "Request a reset code by e-mail. The response doesn't reveal whether the address exists",
    tag: 'Passwords',
    auth: 'public',
    body: z.object({ email: emailAddress }),
    ok: z.object({ status: z.literal('success'), code: z.string() }),
    errors: [422, 429],
  },
  'POST /api/auth/password-reset/verify': {
    summary: 'Check a reset code',
    tag: 'Passwords',
    auth: 'public',
    body: z.object(resetCode),
    ok: z.object({ status: z.literal('success'), userId: objectId }),
    errors: [422, 429],
  },
  'POST /api/auth/password-reset': {
    summary: 'Set a new password with a reset code and sign in',
    tag: 'Passwords',
    auth: 'public',
    body: z.object({
      ...resetCode,
      ...factorProof,
      ...newPassword,
      /** If a companion device must confirm: respond immediately (202) instead of waiting for it. */
      async: z.boolean().nullish(),
    }),
    ok: z.union([sessionResponse, signInWaiting]),
    accepted: signInWaiting,
    errors: [401, 422, 429, 503],
  },
  'POST /api/auth/password-reset/attempt': {
    summary:
      'Poll a password reset that waits for a companion device; returns the session once, or 202 while waiting',
    tag: 'Passwords',
    auth: 'public',
    body: z.object({
      ...resetCode,
      ...newPassword,
      attempt: z.string().min(1).max(64),
      secret: z.string().min(1).max(128),
      /** Maximum seconds to wait for a result. */
      wait: z.number().int().min(0).max(25).nullish(),
    }),
    ok: z.union([sessionResponse, stillWaiting]),
    accepted: stillWaiting,
    errors: [401, 422, 429],
  },
  'POST /api/v4/password-reset/code': {
    summary: 'Create a one-time link, which is inactive until assigned to a user',
    tag: 'Passwords',
    auth: 'token',
    hosts: ['user'],
    openTo: [],
    ok: z.object({
      status: z.literal('success'),
      code: z.string(),
      short_code: z.string(),
      expires_at: wireDate,
    }),
    errors: [401, 403, 404],
  },
  'DELETE /api/v4/password-reset/code/{id}': {
    summary: 'Withdraw a one-time link',
    tag: 'Passwords',
    auth: 'token',
    hosts: ['user'],
    openTo: [],
    params: z.object({ id: z.string() }),
    ok: successEnvelope,
    errors: [401, 403, 404],
  },
})
