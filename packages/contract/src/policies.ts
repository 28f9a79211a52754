import { z } from 'zod'
import { objectId, objectIdParams, secondFactorPolicy, userConfig } from './directory/users.ts'
import { successEnvelope, wireDate } from './envelope.ts'
import { borrowedCallers, defineRoutes } from './route.ts'
import { passwordRule } from './sessions/passwords.ts'

/** A boolean as clients send it: real booleans, 0 and 1, and form values. */
const flag = z
  .union([z.boolean(), z.literal([0, 1]), z.enum(['true', 'false', '1', '0'])])
  .transform((value) => value === true || value === 1 || value === 'true' || value === '1')

/** A switch of the account, or one of the user without inheritance: null and empty mean "off". */
export const plainSwitch = flag.nullable().transform((value) => value ?? false)

/** A user's switch; null inherits the account's policy. */
const inheritedSwitch = flag.nullable()

/** Months; null and 0 remove the limit. */
const months = z
  .union([z.number(), z.string().max(8).regex(/^\d+$/).transform(Number)])
  .pipe(z.number().int().min(0).max(120))
  .nullable()

/** Blank entries are removed. */
const textList = (count: number, length: number) =>
  z
    .array(z.string().max(length).nullable())
    .max(count)
    .nullable()
    .transform((list) => (list ?? []).filter((item) => item !== null))

/** Policies of an account. They are stored with the account's owner and apply to all its users. */
export const accountPolicyInput = z.object({
  greylist_policy: plainSwitch.optional(),
  itip_policy: plainSwitch.optional(),
  externalsender_policy: plainSwitch.optional(),
  /** Domains without wildcards whose mail isn't marked as external. */
  externalsender_policy_domains: textList(1000, 1024).optional(),
  /** `min:8,max:255,lower,upper,digit,special,last:3`; null inherits the system's. */
  password_policy: z.string().max(191).nullable().optional(),
  max_password_age: months.optional(),
  /** Staff may sign in as users of the account; null inherits the installation's setting. */
  staff_access_policy: inheritedSwitch.optional(),
  /** Whether every user of the account must have a second factor; null inherits the installation's setting. */
  second_factor_policy: secondFactorPolicy.nullable().optional(),
})

/** Settings of one user. */
export const userSettingsInput = z.object({
  /** Null inherits the account's policy. */
  greylist_enabled: inheritedSwitch.optional(),
  itip_config: inheritedSwitch.optional(),
  externalsender_config: inheritedSwitch.optional(),
  guam_enabled: plainSwitch.optional(),
  /** Two-letter codes of the countries that the user may sign in from; empty allows all. */
  limit_geo: textList(250, 16).optional(),
})

/** The mail settings among them, which support staff can change as well. */
export const mailSettingsInput = z.object({
  ...accountPolicyInput.pick({
    greylist_policy: true,
    itip_policy: true,
    externalsender_policy: true,
    externalsender_policy_domains: true,
  }).shape,
  ...userSettingsInput.pick({
    greylist_enabled: true,
    itip_config: true,
    externalsender_config: true,
    guam_enabled: true,
  }).shape,
})

/** Input of `POST /api/v4/users/{id}/config`; unknown keys are an error at that key. */
export const userConfigInput = z.strictObject({ ...accountPolicyInput.shape, ...userSettingsInput.shape })

export type UserConfigInput = z.input<typeof userConfigInput>

export const accountPolicyKeys = accountPolicyInput.keyof().options

/** Where a user's effective value comes from. */
export const settingSource = z.enum(['user', 'account', 'system'])

export type SettingSource = z.infer<typeof settingSource>

const effective = <T extends z.ZodType>(value: T) => z.object({ value, source: settingSource })

/** Effective settings of a user: the user's own, then the account's policies, then the system's defaults. */
export const effectiveSettings = z.object({
  greylist: effective(z.boolean()),
  itip: effective(z.boolean()),
  externalsender: effective(z.boolean()),
  externalsender_domains: effective(z.array(z.string())),
  /** The rules with their parameters, including those required by the system. */
  password_policy: effective(z.string()),
  /** Months; null if passwords don't expire. */
  max_password_age: effective(z.number().int().nullable()),
  /** Countries that the user may sign in from; empty allows all. */
  limit_geo: effective(z.array(z.string())),
  /** Accounts can't relax what the installation requires for everyone or for staff. */
  second_factor: effective(secondFactorPolicy),
})

export type EffectiveSettings = z.infer<typeof effectiveSettings>

/** A rule as shown on the policies page. */
export const policyRule = passwordRule.omit({ status: true }).extend({
  /** The system requires the rule: it can't be switched off. */
  required: z.boolean(),
  /** The system's limit, a minimum for `min` and `last` and a maximum for `max`; null if there is none. */
  limit: z.number().int().nullable(),
})

export type PolicyRule = z.infer<typeof policyRule>

/** Mail delivery policies; only those supported by the installation are shown. */
export const mailDeliveryPolicies = [
  'greylist_policy',
  'itip_policy',
  'externalsender_policy',
  'externalsender_policy_domains',
] as const

export const accountPolicies = z.object({
  /** All seven rules in fixed order; `param` is the account's value or the suggested one. */
  password: z.array(policyRule),
  mailDelivery: z.array(z.enum(mailDeliveryPolicies)),
  config: userConfig
    .pick({ max_password_age: true, greylist_policy: true })
    .extend(
      userConfig
        .pick({ itip_policy: true, externalsender_policy: true, externalsender_policy_domains: true })
        .partial().shape,
    ),
  /**
   * Whether staff may sign in as users of the account: the account's setting (null if not set), and the
   * effective one.
   */
  staffAccess: z.object({
    own: z.boolean().nullable(),
    usual: z.boolean(),
    effective: effective(z.boolean()),
  }),
  second_factor: effective(secondFactorPolicy).extend({
    /** The installation requires it: it can't be switched off. */
    required: z.boolean(),
  }),
  /** The user whose record stores the policies. */
  ownerId: objectId,
})

export type AccountPolicies = z.infer<typeof accountPolicies>

/** Changed mail policies to try; what is left out stays as it is. */
export const policyPreviewInput = accountPolicyInput
  .pick({ greylist_policy: true, externalsender_policy: true, externalsender_policy_domains: true })
  .strict()

export type PolicyPreviewInput = z.infer<typeof policyPreviewInput>

/** What changed policies would have done to the mail of the last days. */
export const policyPreview = z.object({
  days: z.number().int(),
  /** Policies that would change something, or would not. */
  changes: z.array(
    z.object({
      policy: z.enum(['greylist', 'external']),
      /** Messages that were looked at. */
      messages: z.number().int(),
      /** Messages that would have been delayed or marked and weren't, and the other way round. */
      more: z.number().int(),
      fewer: z.number().int(),
      /** Some of them, newest first. */
      examples: z.array(
        z.object({
          id: z.uuid(),
          at: wireDate,
          /** Empty for bounces. */
          sender: z.string(),
          recipient: z.string(),
          effect: z.enum(['more', 'fewer']),
        }),
      ),
    }),
  ),
})

export type PolicyPreview = z.infer<typeof policyPreview>

export const policyRoutes = defineRoutes({
  'POST /api/v4/users/{id}/config': {
    summary: 'Change settings of a user or, on the owner, policies of the account; all keys or none',
    tag: 'Policies',
    auth: 'token',
    openTo: borrowedCallers,
    hosts: ['user'],
    params: objectIdParams,
    body: userConfigInput,
    ok: successEnvelope.extend({
      /** The configuration after the change, as in the user object. */
      config: userConfig,
      effective: effectiveSettings,
    }),
    errors: [401, 403, 404, 422],
  },
  'GET /api/v4/users/{id}/effective': {
    summary: 'Get the effective settings of a user and where each comes from',
    tag: 'Policies',
    auth: 'token',
    openTo: borrowedCallers,
    params: objectIdParams,
    ok: effectiveSettings,
    errors: [401, 403, 404],
  },
  'POST /api/v4/policies/preview': {
    summary: 'Try changed mail policies on the mail of the last 30 days',
    tag: 'Policies',
    auth: 'token',
    openTo: borrowedCallers,
    hosts: ['user'],
    body: policyPreviewInput,
    ok: policyPreview,
    errors: [401, 403, 404, 422],
  },
  'GET /api/v4/policies': {
    summary: 'Get the policies of the account that the caller owns or controls',
    tag: 'Policies',
    auth: 'token',
    openTo: borrowedCallers,
    hosts: ['user'],
    ok: accountPolicies,
    errors: [401, 403, 404],
  },
})
