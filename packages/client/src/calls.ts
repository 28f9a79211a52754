// Generated from the contract; update it with `npm test -- packages/client -u`.

/** Body of an error response. */
export type ErrorBody = {
  status: 'error'
  message: string
  errors?: Record<string, string | string[] | Record<string, string>>
  error?: string
  error_description?: string
  redirectUrl?: string | null
  uploaded?: number
  stepUp?: true
  factors?: ('passkey' | 'totp' | 'recovery' | 'password')[]
  passkey?: {
    challenge: string
    options: {
      challenge: string
      timeout: number
      rpId: string
      allowCredentials: {
        id: string
        type: 'public-key'
        transports?: ('ble' | 'cable' | 'hybrid' | 'internal' | 'nfc' | 'smart-card' | 'usb')[]
      }[]
      userVerification: 'required' | 'preferred' | 'discouraged'
    }
  }
  reason?:
    | 'dismissed'
    | 'full'
    | 'locked'
    | 'used'
    | 'key-unknown'
    | 'key-expired'
    | 'key-in-url'
    | 'key-address'
    | 'key-stopped'
    | 'key-scope'
    | 'key-closed'
  scope?: string
}

/** Bytes of an upload. A stream is sent once and never repeated. */
export type Content = Blob | ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer> | string

/** Input and response of each call that API keys may make. */
export interface Calls {
  /** List users in the accounts that the caller owns or controls. Scope: `users:read`. */
  'GET /api/v4/users': {
    query?: {
      page?: number | null
      size?: number | null
      search?: string | null
      sort?: 'email' | 'name' | 'created' | null
      order?: 'asc' | 'desc' | null
      status?: 'active' | 'pending' | 'suspended' | 'degraded' | 'deleted' | null
      facts?: '0' | '1' | null
    }
    ok: {
      list: {
        isActive: boolean
        isSuspended: boolean
        isDeleted: boolean
        isImapReady: boolean
        isLdapReady?: boolean
        isDegraded: boolean
        isRestricted: boolean
        isReady: boolean
        isAccountDegraded: boolean
        id: number
        email: string
        first_name: string | null
        last_name: string | null
        created_at: string
        deleted_at: string | null
        restorable_until: string | null
        isOwner: boolean
        factors: ('passkey' | 'totp' | 'companion')[]
        facts?: {
          package: string | null
          extras: { name: string; quantity: number; unit: string | null }[]
          price?: { currency: string; monthly: number }
          lastSignInAt?: string | null
          storage?: { used: number | null; limit: number }
          usedStorage?: number
          mailStorage?: { used: number | null; quota: number | null; measured_at: string | null }
          rights: {
            canDelete: boolean
            canSuspend: boolean
            canResume: boolean
            canSendPasswordLink: boolean
          }
        }
      }[]
      count: number
      hasMore: boolean
      total: number
    }
  }
  /** Get the number, domains and monthly cost of the users that the caller manages. Scope: `users:read`. */
  'GET /api/v4/users/summary': {
    ok: { users: number; domains: number; prices?: { currency: string; monthly: number }[] }
  }
  /** Create a user in the caller's account. Scope: `users:write`. */
  'POST /api/v4/users': {
    body?: {
      email?: string | null
      package?: string | null
      aliases?: (string | null)[] | null
      first_name?: string | null
      last_name?: string | null
      organization?: string | null
      department?: string | null
      phone?: string | null
      external_email?: string | null
      billing_address?: string | null
      country?: string | null
      currency?: string | null
      password?: string | null
      password_confirmation?: string | null
      passwordLinkCode?: string | null
    }
    ok: { status: 'success'; message: string; id: number }
  }
  /** Get a user. Scope: `users:read`. */
  'GET /api/v4/users/{id}': {
    params: { id: string }
    ok: {
      isActive: boolean
      isSuspended: boolean
      isDeleted: boolean
      isImapReady: boolean
      isLdapReady?: boolean
      isDegraded: boolean
      isRestricted: boolean
      isReady: boolean
      isAccountDegraded: boolean
      id: number
      email: string
      status: number
      tenant_id: number | null
      created_at: string
      updated_at: string
      deleted_at: string | null
      isLocked: boolean
      settings: Record<string, string>
      statusInfo: {
        process: { label: string; title: string; state: boolean; link?: string }[]
        processState: 'done' | 'running' | 'failed' | 'waiting'
        isDone: boolean
        skus: string[]
        enableBeta: boolean
        enableCompanionapps: boolean
        enableDelegation: boolean
        enableDistlists: boolean
        enableDomains: boolean
        enableFiles: boolean
        enableFolders: boolean
        enableLoginAs: boolean
        enableMailfilter: boolean
        enableResources: boolean
        enableRooms: boolean
        enableSettings: boolean
        enableSubscriptions: boolean
        enableUsers: boolean
        enableWalletMandates: boolean
        enableWalletPayments: boolean
        enableWallets: boolean
      }
      wallets: {
        id: string
        user_id: number
        description: string | null
        currency: string
        balance: number
        discount_id: string | null
        discount: number | null
        discount_description: string | null
        user_email?: string
        provider: string
      }[]
      accounts: {
        id: string
        user_id: number
        description: string | null
        currency: string
        balance: number
        discount_id: string | null
        discount: number | null
        discount_description: string | null
        user_email?: string
        provider: string
      }[]
      wallet: {
        id: string
        user_id: number
        description: string | null
        currency: string
        balance: number
        discount_id: string | null
        discount: number | null
        discount_description: string | null
        user_email?: string
        provider: string
      }
      skus: Record<string, { count: number; costs: number[] }>
      config: {
        greylist_policy: boolean
        itip_policy: boolean
        externalsender_policy: boolean
        externalsender_policy_domains: string[]
        password_policy: string | null
        max_password_age: string | null
        greylist_enabled: boolean | null
        itip_config: boolean | null
        externalsender_config: boolean | null
        guam_enabled: boolean
        limit_geo: string[]
        staff_access_policy: boolean | null
        second_factor_policy: 'optional' | 'required' | null
      }
      aliases: string[]
      factors?: ('passkey' | 'totp' | 'companion')[]
      passwordLinkCode?: string
      mailStorage?: { used: number | null; quota: number | null; measured_at: string | null }
      revision: string
      canUpdate: boolean
      canChangeAccess: boolean
      canDelete: boolean
      canEditAliases: boolean
      canEditSubscriptions: boolean
      canConfigure: boolean
      canDelegate: boolean
      canSignOut: boolean
      canReadEvents: boolean
    }
  }
  /** Change a user; omitted keys don't change. Scope: `users:write`. */
  'PUT /api/v4/users/{id}': {
    params: { id: string }
    body?: {
      aliases?: (string | null)[] | null
      skus?: Record<string, unknown> | null
      revision?: string | null
      first_name?: string | null
      last_name?: string | null
      organization?: string | null
      department?: string | null
      phone?: string | null
      external_email?: string | null
      billing_address?: string | null
      country?: string | null
      currency?: string | null
      password?: string | null
      password_confirmation?: string | null
      passwordLinkCode?: string | null
    }
    ok: {
      status: 'success'
      message: string
      revision: string
      statusInfo?: {
        process: { label: string; title: string; state: boolean; link?: string }[]
        processState: 'done' | 'running' | 'failed' | 'waiting'
        isDone: boolean
        skus: string[]
        enableBeta: boolean
        enableCompanionapps: boolean
        enableDelegation: boolean
        enableDistlists: boolean
        enableDomains: boolean
        enableFiles: boolean
        enableFolders: boolean
        enableLoginAs: boolean
        enableMailfilter: boolean
        enableResources: boolean
        enableRooms: boolean
        enableSettings: boolean
        enableSubscriptions: boolean
        enableUsers: boolean
        enableWalletMandates: boolean
        enableWalletPayments: boolean
        enableWallets: boolean
      }
    }
  }
  /** Delete a user; deleting the owner deletes the whole account. Scope: `users:write`. */
  'DELETE /api/v4/users/{id}': {
    params: { id: string }
    body?: { forfeit?: number | null }
    ok: { status: 'success'; message: string }
  }
  /** Restore a deleted user with address, settings and subscriptions. Scope: `users:write`. */
  'POST /api/v4/users/{id}/restore': {
    params: { id: string }
    body?: Record<string, never>
    ok: { status: 'success'; message: string }
  }
  /** Get setup progress, permissions and state of a user. Scope: `users:read`. */
  'GET /api/v4/users/{id}/status': {
    params: { id: string }
    query?: { refresh?: string | null }
    ok: {
      process: { label: string; title: string; state: boolean; link?: string }[]
      processState: 'done' | 'running' | 'failed' | 'waiting'
      isDone: boolean
      skus: string[]
      enableBeta: boolean
      enableCompanionapps: boolean
      enableDelegation: boolean
      enableDistlists: boolean
      enableDomains: boolean
      enableFiles: boolean
      enableFolders: boolean
      enableLoginAs: boolean
      enableMailfilter: boolean
      enableResources: boolean
      enableRooms: boolean
      enableSettings: boolean
      enableSubscriptions: boolean
      enableUsers: boolean
      enableWalletMandates: boolean
      enableWalletPayments: boolean
      enableWallets: boolean
      isActive: boolean
      isSuspended: boolean
      isDeleted: boolean
      isImapReady: boolean
      isLdapReady?: boolean
      isDegraded: boolean
      isRestricted: boolean
      isReady: boolean
      isAccountDegraded: boolean
      status?: 'success' | 'error'
      message?: string
    }
  }
  /** List subscriptions on sale. Scope: `subscriptions:read`. */
  'GET /api/v4/skus': {
    query?: { type?: 'user' | 'domain' | 'group' | 'resource' | 'sharedFolder' | 'room' | null }
    ok: {
      id: string
      title: string
      name: string
      description: string
      cost: number
      units_free: number
      period: 'monthly' | 'yearly'
      active: 0 | 1
      type: 'user' | 'domain' | 'group' | 'resource' | 'sharedFolder' | 'room'
      handler: string
      readonly: boolean
      enabled: boolean
      prio: number
      range?: { min: number; max: number; unit: string }
      required?: string[]
      forbidden?: string[]
      exclusive?: string[]
      controllerOnly?: true
      canGive?: true
      nextCost?: number
      billed?: { month: number; year: number }
      coming?: { cost: number; date: string }
    }[]
  }
  /** List subscriptions of a user, including available ones. Scope: `subscriptions:read`. */
  'GET /api/v4/users/{id}/skus': {
    params: { id: string }
    ok: {
      id: string
      title: string
      name: string
      description: string
      cost: number
      units_free: number
      period: 'monthly' | 'yearly'
      active: 0 | 1
      type: 'user' | 'domain' | 'group' | 'resource' | 'sharedFolder' | 'room'
      handler: string
      readonly: boolean
      enabled: boolean
      prio: number
      range?: { min: number; max: number; unit: string }
      required?: string[]
      forbidden?: string[]
      exclusive?: string[]
      controllerOnly?: true
      canGive?: true
      nextCost?: number
      billed?: { month: number; year: number }
      coming?: { cost: number; date: string }
    }[]
  }
  /** List packages on sale. Scope: `subscriptions:read`. */
  'GET /api/v4/packages': {
    ok: {
      id: string
      title: string
      name: string
      description: string
      cost: number
      yearCost: number
      isDomain: boolean
    }[]
  }
  /** Preview the price of a new user. Scope: `subscriptions:write`. */
  'POST /api/v4/users/preview': {
    body?: { package?: string | null; skus?: Record<string, unknown> | null }
    ok: {
      currency: string
      discount: number
      dueNow: number
      monthly: { now: number; next: number }
      change: number
      billed: { now: { month: number; year: number }; next: { month: number; year: number } }
      lines: {
        skuId: string
        title: string
        name: string
        quantity: number
        monthly: number
        change: number
        billed: { month: number; year: number }
      }[]
      options: { skuId: string; quantity: number; billed: { month: number; year: number }; change: number }[]
      packages: { id: string; billed: { month: number; year: number } }[]
      forfeit?: number
      trialUntil: string | null
      later: { date: string; monthly: number }[]
    }
  }
  /** Preview the price of changing a user's subscriptions or deleting the user. Scope: `subscriptions:write`. */
  'POST /api/v4/users/{id}/preview': {
    params: { id: string }
    body?: { skus?: Record<string, unknown> | null; delete?: boolean | null }
    ok: {
      currency: string
      discount: number
      dueNow: number
      monthly: { now: number; next: number }
      change: number
      billed: { now: { month: number; year: number }; next: { month: number; year: number } }
      lines: {
        skuId: string
        title: string
        name: string
        quantity: number
        monthly: number
        change: number
        billed: { month: number; year: number }
      }[]
      options: { skuId: string; quantity: number; billed: { month: number; year: number }; change: number }[]
      packages: { id: string; billed: { month: number; year: number } }[]
      forfeit?: number
      trialUntil: string | null
      later: { date: string; monthly: number }[]
    }
  }
  /** Preview the price of creating, changing, deleting or restoring an object of any kind. Scope: `subscriptions:write`. */
  'POST /api/v4/subscriptions/preview': {
    body: {
      type: 'user' | 'domain' | 'group' | 'resource' | 'sharedFolder' | 'room'
      action: 'create' | 'change' | 'delete' | 'restore'
      id?: number | string | null
      package?: string | null
      skus?: Record<string, unknown> | null
    }
    ok: {
      currency: string
      discount: number
      dueNow: number
      monthly: { now: number; next: number }
      change: number
      billed: { now: { month: number; year: number }; next: { month: number; year: number } }
      lines: {
        skuId: string
        title: string
        name: string
        quantity: number
        monthly: number
        change: number
        billed: { month: number; year: number }
      }[]
      options: { skuId: string; quantity: number; billed: { month: number; year: number }; change: number }[]
      packages: { id: string; billed: { month: number; year: number } }[]
      forfeit?: number
      trialUntil: string | null
      later: { date: string; monthly: number }[]
    }
  }
  /** Get a wallet. Scope: `wallets:read`. */
  'GET /api/v4/wallets/{id}': {
    params: { id: string }
    ok: {
      id: string
      user_id: number
      currency: string
      balance: number
      description: string | null
      discount_id: string | null
      discount: number | null
      discount_description: string | null
      provider: string
      notice: string | null
      noticeKind: 'used-up' | 'today' | 'trial' | 'trial-ends' | 'lasts' | null
      lastsUntil: string | null
      canUpdate: boolean
    }
  }
  /** List entries of a wallet, newest first; with `transaction`, the children of that entry. Scope: `wallets:read`. */
  'GET /api/v4/wallets/{id}/transactions': {
    params: { id: string }
    query?: {
      page?: number | null
      size?: number | null
      transaction?: string | null
      type?: 'award' | 'credit' | 'debit' | 'penalty' | 'refund' | 'chback' | null
      from?: string | null
      to?: string | null
    }
    ok: {
      status: 'success'
      page: number
      list: {
        id: string
        createdAt: string
        type:
          | 'award'
          | 'credit'
          | 'debit'
          | 'penalty'
          | 'refund'
          | 'chback'
          | 'billed'
          | 'created'
          | 'deleted'
        description: string
        amount: number
        currency: string
        hasDetails: boolean
        balance?: number
        number?: number
        user?: string
        since?: string
        until?: string
      }[]
      count: number
      hasMore: boolean
    }
  }
  /** Export entries of a wallet as CSV, newest first. Scope: `wallets:read`. */
  'GET /api/v4/wallets/{id}/transactions/csv': {
    params: { id: string }
    query?: {
      type?: 'award' | 'credit' | 'debit' | 'penalty' | 'refund' | 'chback' | null
      from?: string | null
      to?: string | null
    }
    ok: string
  }
  /** Export all entries of a wallet with their hashes as JSON Lines, oldest first. Scope: `wallets:read`. */
  'GET /api/v4/wallets/{id}/chain': { params: { id: string }; ok: string }
  /** List the monthly cost of each user and object of the account. Scope: `wallets:read`. */
  'GET /api/v4/wallets/{id}/costs': {
    params: { id: string }
    query?: {
      page?: number | null
      size?: number | null
      search?: string | null
      sort?: 'cost' | 'name' | null
      order?: 'asc' | 'desc' | null
    }
    ok: {
      list: {
        objectType: string
        objectId: number
        name: string | null
        monthly: number
        skus: { skuId: string; title: string; name: string; quantity: number; monthly: number }[]
      }[]
      count: number
      hasMore: boolean
      total: number
      currency: string
      discount: number
      monthly: number
    }
  }
  /** Get the next charge and the expected balance over twelve months. Scope: `wallets:read`. */
  'GET /api/v4/wallets/{id}/forecast': {
    params: { id: string }
    ok: {
      currency: string
      balance: number
      pending: number
      owed: number
      next: { date: string; amount: number } | null
      lastsUntil: string | null
      months: { until: string; charges: number; balance: number }[]
      priceChanges: {
        id: string
        name: string
        date: string
        months: number
        prices: { from: number; to: number; units: number }[]
        before: number
        after: number
        reason: string
      }[]
    }
  }
  /** Get alerts and monthly ceiling of a wallet. Scope: `wallets:read`. */
  'GET /api/v4/wallets/{id}/settings': {
    params: { id: string }
    ok: {
      alerts: number[]
      monthly_ceiling: number | null
      alertStates: { threshold: number; alertedAt: string; resolvedAt: string | null }[]
    }
  }
  /** List months with receipts or credit notes, newest first, excluding the current month. Scope: `wallets:read`. */
  'GET /api/v4/wallets/{id}/receipts': {
    params: { id: string }
    query?: { page?: number | null; size?: number | null }
    ok: {
      status: 'success'
      page: number
      list: {
        period: string
        amount: number
        currency: string
        documents: { number: string; kind: 'receipt' | 'credit-note'; amount: number }[]
      }[]
      count: number
      hasMore: boolean
    }
  }
  /** Download the documents of a month as PDF, in the language of the request. Scope: `wallets:read`. */
  'GET /api/v4/wallets/{id}/receipts/{period}': { params: { id: string; period: string }; ok: string }
  /** Preview what a payment or top-up will charge. Scope: `payments:write`. */
  'POST /api/v4/payments/preview': {
    body: {
      action: 'pay' | 'set-up' | 'change'
      amount?: number | string | null
      balance?: number | string | null
      methodId?: 'creditcard' | 'paypal' | 'banktransfer' | 'directdebit' | 'bitcoin' | null
    }
    ok: {
      currency: string
      minimum: number
      vat?: { rate: number; mode: 'included' | 'on-top' }
      charge: {
        credit: number
        net: number
        vat: number
        gross: number
        amount: number
        currency: string
        balance: number
      } | null
      isAtOnce: boolean
      suggestions: { kind: 'owed' | 'next' | 'months'; amount: number }[]
    }
  }
  /** List the payment methods available for your wallet. Scope: `payments:read`. */
  'GET /api/v4/payments/methods': {
    query: { type: 'oneoff' | 'recurring' }
    ok: {
      id: 'creditcard' | 'paypal' | 'banktransfer' | 'directdebit' | 'bitcoin'
      name: string
      minimumAmount: number
      currency: string
      exchangeRate?: number
      icon?: { prefix: string; name: string }
      vat?: { rate: number; mode: 'included' | 'on-top' }
    }[]
  }
  /** Check whether your wallet has pending payments. Scope: `payments:read`. */
  'GET /api/v4/payments/has-pending': { ok: { status: 'success'; hasPending: boolean } }
  /** List pending payments to your wallet, newest first. Scope: `payments:read`. */
  'GET /api/v4/payments/pending': {
    query?: { page?: number | null; size?: number | null }
    ok: {
      status: 'success'
      page: number
      list: {
        id: string
        createdAt: string
        type: 'oneoff' | 'recurring' | 'mandate' | 'refund' | 'chargeback'
        description: string
        amount: number
        currency: string
        status: 'open' | 'pending' | 'authorized' | 'paid' | 'canceled' | 'expired' | 'failed'
        isCancelable: boolean
        checkoutUrl: string | null
      }[]
      count: number
      hasMore: boolean
    }
  }
  /** Get the latest payment to your wallet. Scope: `payments:read`. */
  'GET /api/v4/payments/status': {
    ok: {
      id: string
      status: 'open' | 'pending' | 'authorized' | 'paid' | 'canceled' | 'expired' | 'failed'
      type: 'oneoff' | 'recurring' | 'mandate' | 'refund' | 'chargeback'
      description: string
      statusMessage: string
      isLocked: boolean
    }
  }
  /** Get auto-payment of your wallet. Scope: `payments:read`. */
  'GET /api/v4/payments/mandate': {
    ok: {
      id?: string
      method?: string
      methodId?: 'creditcard' | 'paypal' | 'banktransfer' | 'directdebit' | 'bitcoin'
      isPending?: boolean
      isValid: boolean
      isDisabled: boolean
      notice?: string
      amount: number
      minAmount: number
      balance: number
      currency: string
      vat?: { rate: number; mode: 'included' | 'on-top' }
    }
  }
  /** List programmes that reward the owner of a wallet when someone signs up with their code. Scope: `wallets:read`. */
  'GET /api/v4/wallets/{id}/referral-programs': {
    params: { id: string }
    ok: {
      status: 'success'
      page: 1
      list: { id: string; name: string; description: string; refcount: number; url: string; qrCode: string }[]
      count: number
      hasMore: boolean
    }
  }
  /** Change settings of a user or, on the owner, policies of the account; all keys or none. Scope: `policies:write`. */
  'POST /api/v4/users/{id}/config': {
    params: { id: string }
    body?: {
      greylist_policy?: boolean | 0 | 1 | '0' | '1' | 'true' | 'false' | null
      itip_policy?: boolean | 0 | 1 | '0' | '1' | 'true' | 'false' | null
      externalsender_policy?: boolean | 0 | 1 | '0' | '1' | 'true' | 'false' | null
      externalsender_policy_domains?: (string | null)[] | null
      password_policy?: string | null
      max_password_age?: number | string | null
      staff_access_policy?: boolean | 0 | 1 | '0' | '1' | 'true' | 'false' | null
      second_factor_policy?: 'optional' | 'required' | null
      greylist_enabled?: boolean | 0 | 1 | '0' | '1' | 'true' | 'false' | null
      itip_config?: boolean | 0 | 1 | '0' | '1' | 'true' | 'false' | null
      externalsender_config?: boolean | 0 | 1 | '0' | '1' | 'true' | 'false' | null
      guam_enabled?: boolean | 0 | 1 | '0' | '1' | 'true' | 'false' | null
      limit_geo?: (string | null)[] | null
    }
    ok: {
      status: 'success'
      message: string
      config: {
        greylist_policy: boolean
        itip_policy: boolean
        externalsender_policy: boolean
        externalsender_policy_domains: string[]
        password_policy: string | null
        max_password_age: string | null
        greylist_enabled: boolean | null
        itip_config: boolean | null
        externalsender_config: boolean | null
        guam_enabled: boolean
        limit_geo: string[]
        staff_access_policy: boolean | null
        second_factor_policy: 'optional' | 'required' | null
      }
      effective: {
        greylist: { value: boolean; source: 'user' | 'account' | 'system' }
        itip: { value: boolean; source: 'user' | 'account' | 'system' }
        externalsender: { value: boolean; source: 'user' | 'account' | 'system' }
        externalsender_domains: { value: string[]; source: 'user' | 'account' | 'system' }
        password_policy: { value: string; source: 'user' | 'account' | 'system' }
        max_password_age: { value: number | null; source: 'user' | 'account' | 'system' }
        limit_geo: { value: string[]; source: 'user' | 'account' | 'system' }
        second_factor: { value: 'optional' | 'required'; source: 'user' | 'account' | 'system' }
      }
    }
  }
  /** Get the effective settings of a user and where each comes from. Scope: `policies:read`. */
  'GET /api/v4/users/{id}/effective': {
    params: { id: string }
    ok: {
      greylist: { value: boolean; source: 'user' | 'account' | 'system' }
      itip: { value: boolean; source: 'user' | 'account' | 'system' }
      externalsender: { value: boolean; source: 'user' | 'account' | 'system' }
      externalsender_domains: { value: string[]; source: 'user' | 'account' | 'system' }
      password_policy: { value: string; source: 'user' | 'account' | 'system' }
      max_password_age: { value: number | null; source: 'user' | 'account' | 'system' }
      limit_geo: { value: string[]; source: 'user' | 'account' | 'system' }
      second_factor: { value: 'optional' | 'required'; source: 'user' | 'account' | 'system' }
    }
  }
  /** Try changed mail policies on the mail of the last 30 days. Scope: `policies:write`. */
  'POST /api/v4/policies/preview': {
    body?: {
      greylist_policy?: boolean | 0 | 1 | '0' | '1' | 'true' | 'false' | null
      externalsender_policy?: boolean | 0 | 1 | '0' | '1' | 'true' | 'false' | null
      externalsender_policy_domains?: (string | null)[] | null
    }
    ok: {
      days: number
      changes: {
        policy: 'greylist' | 'external'
        messages: number
        more: number
        fewer: number
        examples: { id: string; at: string; sender: string; recipient: string; effect: 'more' | 'fewer' }[]
      }[]
    }
  }
  /** Get the policies of the account that the caller owns or controls. Scope: `policies:read`. */
  'GET /api/v4/policies': {
    ok: {
      password: {
        label: 'min' | 'max' | 'lower' | 'upper' | 'digit' | 'special' | 'last' | 'common' | 'personal'
        name: string
        param: string | null
        enabled: boolean
        required: boolean
        limit: number | null
      }[]
      mailDelivery: (
        | 'greylist_policy'
        | 'itip_policy'
        | 'externalsender_policy'
        | 'externalsender_policy_domains'
      )[]
      config: {
        max_password_age: string | null
        greylist_policy: boolean
        itip_policy?: boolean
        externalsender_policy?: boolean
        externalsender_policy_domains?: string[]
      }
      staffAccess: {
        own: boolean | null
        usual: boolean
        effective: { value: boolean; source: 'user' | 'account' | 'system' }
      }
      second_factor: {
        value: 'optional' | 'required'
        source: 'user' | 'account' | 'system'
        required: boolean
      }
      ownerId: number
    }
  }
  /** List the owner, additional owners and open invitations of an account. Scope: `owners:read`. */
  'GET /api/v4/wallets/{id}/controllers': {
    params: { id: string }
    ok: {
      list: { id: number; email: string; name: string; isOwner: boolean; isMember: boolean }[]
      invitations: { id: string; email: string; created_at: string; expires_at: string }[]
      count: number
      hasMore: false
      handOver: { email: string; isConfirmed: boolean; expires_at: string } | null
      canChange: boolean
      canHandOver: boolean
    }
  }
  /** List delegates of a user, by address. Scope: `delegation:read`. */
  'GET /api/v4/users/{id}/delegations': {
    params: { id: string }
    ok: {
      list: {
        email: string
        aliases: string[]
        name: string
        options: {
          mail?: 'read-only' | 'read-write'
          event?: 'read-only' | 'read-write'
          task?: 'read-only' | 'read-write'
          contact?: 'read-only' | 'read-write'
          send_as: boolean
        }
        isReady: boolean
      }[]
      count: number
      hasMore: false
    }
  }
  /** List users whose delegate the user is, by address. Scope: `delegation:read`. */
  'GET /api/v4/users/{id}/delegators': {
    params: { id: string }
    ok: {
      list: {
        email: string
        aliases: string[]
        name: string
        options: {
          mail?: 'read-only' | 'read-write'
          event?: 'read-only' | 'read-write'
          task?: 'read-only' | 'read-write'
          contact?: 'read-only' | 'read-write'
          send_as: boolean
        }
        isReady: boolean
      }[]
      count: number
      hasMore: false
    }
  }
  /** Remove a delegate. Scope: `delegation:write`. */
  'DELETE /api/v4/users/{id}/delegations/{email}': {
    params: { id: string; email: string }
    ok: { status: 'success'; message: string }
  }
  /** List domains in the accounts that the caller owns or controls. Scope: `domains:read`. */
  'GET /api/v4/domains': {
    query?: {
      page?: number | null
      size?: number | null
      search?: string | null
      order?: 'asc' | 'desc' | null
      status?: 'active' | 'pending' | 'suspended' | 'deleted' | null
      sort?: 'namespace' | 'created' | null
    }
    ok: {
      list: {
        id: number
        created_at: string
        deleted_at: string | null
        restorable_until: string | null
        namespace: string
        displayName: string
        type: number
        users: number
        isActive: boolean
        isSuspended: boolean
        isDeleted: boolean
        isConfirmed: boolean
        isVerified: boolean
        isLdapReady?: boolean
        isReady: boolean
      }[]
      count: number
      hasMore: boolean
      total: number
      message: string
    }
  }
  /** Add a domain to the caller's account. Scope: `domains:write`. */
  'POST /api/v4/domains': {
    body?: { namespace?: string | null; package?: string | null }
    ok: { status: 'success'; message: string; id: number }
  }
  /** Get a domain. Scope: `domains:read`. */
  'GET /api/v4/domains/{id}': {
    params: { id: string }
    ok: {
      id: number
      status: number
      created_at: string
      updated_at: string
      deleted_at: string | null
      statusInfo: {
        process: { label: string; title: string; state: boolean; link?: string }[]
        processState: 'done' | 'running' | 'failed' | 'waiting'
        isDone: boolean
      }
      skus: Record<string, { count: number; costs: number[] }>
      wallet: {
        id: string
        user_id: number
        description: string | null
        currency: string
        balance: number
        discount_id: string | null
        discount: number | null
        discount_description: string | null
        user_email?: string
        provider: string
      } | null
      revision: string
      canUpdate: boolean
      canDelete: boolean
      canConfigure: boolean
      canReadEvents: boolean
      namespace: string
      displayName: string
      type: number
      isActive: boolean
      isSuspended: boolean
      isDeleted: boolean
      isConfirmed: boolean
      isVerified: boolean
      isLdapReady?: boolean
      isReady: boolean
      config: { spf_whitelist: string[] }
      hash_code: string
      hash_text: string
      hash_cname: string
      dns: string[]
      proof: { name: string; text: string; zone: string[] }
      mx: string[]
      dnsReport: {
        records: {
          kind: 'mx' | 'spf' | 'dkim' | 'dmarc' | 'autoconfig' | 'autodiscover'
          type: 'MX' | 'TXT' | 'CNAME'
          name: string
          wanted: string[]
          found: string[]
          state: 'ok' | 'different' | 'missing' | 'unknown' | 'unchecked'
          isOptional: boolean
          key?: { algorithm: 'rsa' | 'ed25519'; stage: 'new' | 'signing' | 'old' }
        }[]
        checkedAt: string | null
        nextCheckAt: string | null
      }
      missingSince: string | null
      isEmpty: boolean
    }
  }
  /** Delete a domain; returns an error while addresses use it. Scope: `domains:write`. */
  'DELETE /api/v4/domains/{id}': { params: { id: string }; ok: { status: 'success'; message: string } }
  /** Restore a deleted domain. Scope: `domains:write`. */
  'POST /api/v4/domains/{id}/restore': {
    params: { id: string }
    body?: Record<string, never>
    ok: { status: 'success'; message: string }
  }
  /** List subscriptions of a domain, including available ones. Scope: `domains:read`. */
  'GET /api/v4/domains/{id}/skus': {
    params: { id: string }
    ok: {
      id: string
      title: string
      name: string
      description: string
      cost: number
      units_free: number
      period: 'monthly' | 'yearly'
      active: 0 | 1
      type: 'user' | 'domain' | 'group' | 'resource' | 'sharedFolder' | 'room'
      handler: string
      readonly: boolean
      enabled: boolean
      prio: number
      range?: { min: number; max: number; unit: string }
      required?: string[]
      forbidden?: string[]
      exclusive?: string[]
      controllerOnly?: true
      canGive?: true
      nextCost?: number
      billed?: { month: number; year: number }
      coming?: { cost: number; date: string }
    }[]
  }
  /** Get setup progress and state of a domain. Scope: `domains:read`. */
  'GET /api/v4/domains/{id}/status': {
    params: { id: string }
    query?: { refresh?: string | null }
    ok: {
      process: { label: string; title: string; state: boolean; link?: string }[]
      processState: 'done' | 'running' | 'failed' | 'waiting'
      isDone: boolean
      isActive: boolean
      isSuspended: boolean
      isDeleted: boolean
      isConfirmed: boolean
      isVerified: boolean
      isLdapReady?: boolean
      isReady: boolean
      status?: 'success' | 'error'
      message?: string
    }
  }
  /** Change settings of a domain, all keys or none. Scope: `domains:write`. */
  'POST /api/v4/domains/{id}/config': {
    params: { id: string }
    body?: { spf_whitelist?: string | (string | null)[] | null }
    ok: { status: 'success'; message: string }
  }
  /** Check the record that proves ownership; always returns 200, with the result in `status`. Scope: `domains:read`. */
  'GET /api/v4/domains/{id}/confirm': {
    params: { id: string }
    ok: {
      status: 'success' | 'error'
      message: string
      statusInfo?: {
        process: { label: string; title: string; state: boolean; link?: string }[]
        processState: 'done' | 'running' | 'failed' | 'waiting'
        isDone: boolean
      }
    }
  }
  /** Check the record that proves ownership, for clients that don't change state with GET. Scope: `domains:write`. */
  'POST /api/v4/domains/{id}/confirm': {
    params: { id: string }
    body?: Record<string, never>
    ok: {
      status: 'success' | 'error'
      message: string
      statusInfo?: {
        process: { label: string; title: string; state: boolean; link?: string }[]
        processState: 'done' | 'running' | 'failed' | 'waiting'
        isDone: boolean
      }
    }
  }
  /** Check all DNS records required for mail now. Scope: `domains:write`. */
  'POST /api/v4/domains/{id}/dns-check': {
    params: { id: string }
    body?: Record<string, never>
    ok: {
      records: {
        kind: 'mx' | 'spf' | 'dkim' | 'dmarc' | 'autoconfig' | 'autodiscover'
        type: 'MX' | 'TXT' | 'CNAME'
        name: string
        wanted: string[]
        found: string[]
        state: 'ok' | 'different' | 'missing' | 'unknown' | 'unchecked'
        isOptional: boolean
        key?: { algorithm: 'rsa' | 'ed25519'; stage: 'new' | 'signing' | 'old' }
      }[]
      checkedAt: string | null
      nextCheckAt: string | null
    }
  }
  /** List distribution lists in the accounts that the caller owns or controls. Scope: `distribution-lists:read`. */
  'GET /api/v4/groups': {
    query?: {
      page?: number | null
      size?: number | null
      search?: string | null
      order?: 'asc' | 'desc' | null
      status?: 'active' | 'pending' | 'suspended' | 'deleted' | null
      sort?: 'name' | 'email' | 'created' | 'members' | null
    }
    ok: {
      list: {
        id: number
        created_at: string
        deleted_at: string | null
        restorable_until: string | null
        email: string
        name: string
        members: number
        isActive: boolean
        isSuspended: boolean
        isDeleted: boolean
        isLdapReady?: boolean
        isReady: boolean
      }[]
      count: number
      hasMore: boolean
      total: number
      message: string
    }
  }
  /** Create a distribution list. Scope: `distribution-lists:write`. */
  'POST /api/v4/groups': {
    body?: { email?: string | null; name?: string | null; members?: (string | null)[] | null }
    ok: { status: 'success'; message: string; id: number }
  }
  /** Get a distribution list. Scope: `distribution-lists:read`. */
  'GET /api/v4/groups/{id}': {
    params: { id: string }
    ok: {
      id: number
      status: number
      created_at: string
      updated_at: string
      deleted_at: string | null
      statusInfo: {
        process: { label: string; title: string; state: boolean; link?: string }[]
        processState: 'done' | 'running' | 'failed' | 'waiting'
        isDone: boolean
      }
      skus: Record<string, { count: number; costs: number[] }>
      wallet: {
        id: string
        user_id: number
        description: string | null
        currency: string
        balance: number
        discount_id: string | null
        discount: number | null
        discount_description: string | null
        user_email?: string
        provider: string
      } | null
      revision: string
      canUpdate: boolean
      canDelete: boolean
      canConfigure: boolean
      canReadEvents: boolean
      email: string
      name: string
      members: string[]
      isActive: boolean
      isSuspended: boolean
      isDeleted: boolean
      isLdapReady?: boolean
      isReady: boolean
      config: { sender_policy: string[]; members_may_send: boolean }
    }
  }
  /** Delete a distribution list. Scope: `distribution-lists:write`. */
  'DELETE /api/v4/groups/{id}': { params: { id: string }; ok: { status: 'success'; message: string } }
  /** Restore a deleted distribution list. Scope: `distribution-lists:write`. */
  'POST /api/v4/groups/{id}/restore': {
    params: { id: string }
    body?: Record<string, never>
    ok: { status: 'success'; message: string }
  }
  /** List subscriptions of a distribution list, including available ones. Scope: `distribution-lists:read`. */
  'GET /api/v4/groups/{id}/skus': {
    params: { id: string }
    ok: {
      id: string
      title: string
      name: string
      description: string
      cost: number
      units_free: number
      period: 'monthly' | 'yearly'
      active: 0 | 1
      type: 'user' | 'domain' | 'group' | 'resource' | 'sharedFolder' | 'room'
      handler: string
      readonly: boolean
      enabled: boolean
      prio: number
      range?: { min: number; max: number; unit: string }
      required?: string[]
      forbidden?: string[]
      exclusive?: string[]
      controllerOnly?: true
      canGive?: true
      nextCost?: number
      billed?: { month: number; year: number }
      coming?: { cost: number; date: string }
    }[]
  }
  /** Get setup progress and state of a distribution list. Scope: `distribution-lists:read`. */
  'GET /api/v4/groups/{id}/status': {
    params: { id: string }
    query?: { refresh?: string | null }
    ok: {
      process: { label: string; title: string; state: boolean; link?: string }[]
      processState: 'done' | 'running' | 'failed' | 'waiting'
      isDone: boolean
      isActive: boolean
      isSuspended: boolean
      isDeleted: boolean
      isLdapReady?: boolean
      isReady: boolean
      status?: 'success' | 'error'
      message?: string
    }
  }
  /** Change settings of a distribution list, all keys or none. Scope: `distribution-lists:write`. */
  'POST /api/v4/groups/{id}/config': {
    params: { id: string }
    body?: {
      sender_policy?: string | (string | null)[] | null
      members_may_send?: boolean | 0 | 1 | '0' | '1' | 'true' | 'false' | null
    }
    ok: { status: 'success'; message: string }
  }
  /** Change a distribution list; omitted keys don't change. Scope: `distribution-lists:write`. */
  'PUT /api/v4/groups/{id}': {
    params: { id: string }
    body?: { name?: string | null; members?: (string | null)[] | null; revision?: string | null }
    ok: { status: 'success'; message: string; revision: string }
  }
  /** List resources in the accounts that the caller owns or controls. Scope: `resources:read`. */
  'GET /api/v4/resources': {
    query?: {
      page?: number | null
      size?: number | null
      search?: string | null
      order?: 'asc' | 'desc' | null
      status?: 'active' | 'pending' | 'suspended' | 'deleted' | null
      sort?: 'name' | 'email' | 'created' | null
    }
    ok: {
      list: {
        id: number
        created_at: string
        deleted_at: string | null
        restorable_until: string | null
        email: string
        name: string
        isActive: boolean
        isDeleted: boolean
        isImapReady: boolean
        isLdapReady?: boolean
        isReady: boolean
      }[]
      count: number
      hasMore: boolean
      total: number
      message: string
    }
  }
  /** Create a resource. Scope: `resources:write`. */
  'POST /api/v4/resources': {
    body?: { name?: string | null; domain?: string | null }
    ok: { status: 'success'; message: string; id: number }
  }
  /** Get a resource. Scope: `resources:read`. */
  'GET /api/v4/resources/{id}': {
    params: { id: string }
    ok: {
      id: number
      status: number
      created_at: string
      updated_at: string
      deleted_at: string | null
      statusInfo: {
        process: { label: string; title: string; state: boolean; link?: string }[]
        processState: 'done' | 'running' | 'failed' | 'waiting'
        isDone: boolean
      }
      skus: Record<string, { count: number; costs: number[] }>
      wallet: {
        id: string
        user_id: number
        description: string | null
        currency: string
        balance: number
        discount_id: string | null
        discount: number | null
        discount_description: string | null
        user_email?: string
        provider: string
      } | null
      revision: string
      canUpdate: boolean
      canDelete: boolean
      canConfigure: boolean
      canReadEvents: boolean
      email: string
      name: string
      isActive: boolean
      isDeleted: boolean
      isImapReady: boolean
      isLdapReady?: boolean
      isReady: boolean
      config: { invitation_policy: string }
    }
  }
  /** Delete a resource. Scope: `resources:write`. */
  'DELETE /api/v4/resources/{id}': { params: { id: string }; ok: { status: 'success'; message: string } }
  /** Restore a deleted resource. Scope: `resources:write`. */
  'POST /api/v4/resources/{id}/restore': {
    params: { id: string }
    body?: Record<string, never>
    ok: { status: 'success'; message: string }
  }
  /** List subscriptions of a resource, including available ones. Scope: `resources:read`. */
  'GET /api/v4/resources/{id}/skus': {
    params: { id: string }
    ok: {
      id: string
      title: string
      name: string
      description: string
      cost: number
      units_free: number
      period: 'monthly' | 'yearly'
      active: 0 | 1
      type: 'user' | 'domain' | 'group' | 'resource' | 'sharedFolder' | 'room'
      handler: string
      readonly: boolean
      enabled: boolean
      prio: number
      range?: { min: number; max: number; unit: string }
      required?: string[]
      forbidden?: string[]
      exclusive?: string[]
      controllerOnly?: true
      canGive?: true
      nextCost?: number
      billed?: { month: number; year: number }
      coming?: { cost: number; date: string }
    }[]
  }
  /** Get setup progress and state of a resource. Scope: `resources:read`. */
  'GET /api/v4/resources/{id}/status': {
    params: { id: string }
    query?: { refresh?: string | null }
    ok: {
      process: { label: string; title: string; state: boolean; link?: string }[]
      processState: 'done' | 'running' | 'failed' | 'waiting'
      isDone: boolean
      isActive: boolean
      isDeleted: boolean
      isImapReady: boolean
      isLdapReady?: boolean
      isReady: boolean
      status?: 'success' | 'error'
      message?: string
    }
  }
  /** Change settings of a resource, all keys or none. Scope: `resources:write`. */
  'POST /api/v4/resources/{id}/config': {
    params: { id: string }
    body?: { invitation_policy?: string | null }
    ok: { status: 'success'; message: string }
  }
  /** Rename a resource. Scope: `resources:write`. */
  'PUT /api/v4/resources/{id}': {
    params: { id: string }
    body?: { name?: string | null; revision?: string | null }
    ok: { status: 'success'; message: string; revision: string }
  }
  /** List shared folders in the accounts that the caller owns or controls. Scope: `shared-folders:read`. */
  'GET /api/v4/shared-folders': {
    query?: {
      page?: number | null
      size?: number | null
      search?: string | null
      order?: 'asc' | 'desc' | null
      status?: 'active' | 'pending' | 'suspended' | 'deleted' | null
      sort?: 'name' | 'type' | 'email' | 'created' | null
    }
    ok: {
      list: {
        id: number
        created_at: string
        deleted_at: string | null
        restorable_until: string | null
        email: string
        name: string
        type: 'mail' | 'event' | 'contact' | 'task' | 'note' | 'file'
        isActive: boolean
        isDeleted: boolean
        isImapReady: boolean
        isLdapReady?: boolean
        isReady: boolean
      }[]
      count: number
      hasMore: boolean
      total: number
      message: string
    }
  }
  /** Create a shared folder. Scope: `shared-folders:write`. */
  'POST /api/v4/shared-folders': {
    body?: {
      name?: string | null
      type?: string | null
      domain?: string | null
      aliases?: (string | null)[] | null
    }
    ok: { status: 'success'; message: string; id: number }
  }
  /** Get a shared folder. Scope: `shared-folders:read`. */
  'GET /api/v4/shared-folders/{id}': {
    params: { id: string }
    ok: {
      id: number
      status: number
      created_at: string
      updated_at: string
      deleted_at: string | null
      statusInfo: {
        process: { label: string; title: string; state: boolean; link?: string }[]
        processState: 'done' | 'running' | 'failed' | 'waiting'
        isDone: boolean
      }
      skus: Record<string, { count: number; costs: number[] }>
      wallet: {
        id: string
        user_id: number
        description: string | null
        currency: string
        balance: number
        discount_id: string | null
        discount: number | null
        discount_description: string | null
        user_email?: string
        provider: string
      } | null
      revision: string
      canUpdate: boolean
      canDelete: boolean
      canConfigure: boolean
      canReadEvents: boolean
      email: string
      name: string
      type: 'mail' | 'event' | 'contact' | 'task' | 'note' | 'file'
      aliases: string[]
      isActive: boolean
      isDeleted: boolean
      isImapReady: boolean
      isLdapReady?: boolean
      isReady: boolean
      config: { acl: string[] }
    }
  }
  /** Delete a shared folder. Scope: `shared-folders:write`. */
  'DELETE /api/v4/shared-folders/{id}': { params: { id: string }; ok: { status: 'success'; message: string } }
  /** Restore a deleted shared folder. Scope: `shared-folders:write`. */
  'POST /api/v4/shared-folders/{id}/restore': {
    params: { id: string }
    body?: Record<string, never>
    ok: { status: 'success'; message: string }
  }
  /** List subscriptions of a shared folder, including available ones. Scope: `shared-folders:read`. */
  'GET /api/v4/shared-folders/{id}/skus': {
    params: { id: string }
    ok: {
      id: string
      title: string
      name: string
      description: string
      cost: number
      units_free: number
      period: 'monthly' | 'yearly'
      active: 0 | 1
      type: 'user' | 'domain' | 'group' | 'resource' | 'sharedFolder' | 'room'
      handler: string
      readonly: boolean
      enabled: boolean
      prio: number
      range?: { min: number; max: number; unit: string }
      required?: string[]
      forbidden?: string[]
      exclusive?: string[]
      controllerOnly?: true
      canGive?: true
      nextCost?: number
      billed?: { month: number; year: number }
      coming?: { cost: number; date: string }
    }[]
  }
  /** Get setup progress and state of a shared folder. Scope: `shared-folders:read`. */
  'GET /api/v4/shared-folders/{id}/status': {
    params: { id: string }
    query?: { refresh?: string | null }
    ok: {
      process: { label: string; title: string; state: boolean; link?: string }[]
      processState: 'done' | 'running' | 'failed' | 'waiting'
      isDone: boolean
      isActive: boolean
      isDeleted: boolean
      isImapReady: boolean
      isLdapReady?: boolean
      isReady: boolean
      status?: 'success' | 'error'
      message?: string
    }
  }
  /** Change a shared folder; omitted keys don't change. Scope: `shared-folders:write`. */
  'PUT /api/v4/shared-folders/{id}': {
    params: { id: string }
    body?: { name?: string | null; aliases?: (string | null)[] | null; revision?: string | null }
    ok: { status: 'success'; message: string; revision: string }
  }
  /** List files and collections in a collection or the root. Scope: `files:read`. */
  'GET /api/v4/fs': {
    query?: {
      search?: string | null
      parent?: string | null
      type?: string | null
      sort?: 'name' | 'size' | 'mtime' | 'created' | 'type' | null
      order?: 'asc' | 'desc' | null
      collections_first?: '0' | '1' | 'true' | 'false' | null
      recursive?: '0' | '1' | 'true' | 'false' | null
      page?: number | null
      size?: number | null
    }
    ok: {
      list: {
        id: string
        type: 'file' | 'collection' | 'unknown'
        created_at: string
        updated_at: string
        name: string
        size: number
        mimetype: string | null
        mtime: string
        isOwner: boolean
        canUpdate: boolean
        canDelete: boolean
        canShare: boolean
        isShared: boolean
        hasThumbnail: boolean
        hasPreview: boolean
        owner?: { email: string; name: string }
        path?: { id: string; name: string }[]
      }[]
      count: number
      hasMore: boolean
      total: number
      collection: {
        id: string
        type: 'file' | 'collection' | 'unknown'
        created_at: string
        updated_at: string
        name: string
        size: number
        mimetype: string | null
        mtime: string
        isOwner: boolean
        canUpdate: boolean
        canDelete: boolean
        canShare: boolean
        isShared: boolean
        hasThumbnail: boolean
        hasPreview: boolean
        owner?: { email: string; name: string }
        parents: string[]
        path: { id: string; name: string }[]
        sha256: string | null
        versions: number
        scan: 'off' | 'waiting' | 'clean' | 'infected'
        share?: { id: string; permissions: 'read-only' | 'read-write' }
        downloadUrl?: string
        previewUrl?: string
      } | null
    }
  }
  /** Get a file or collection; with `download=1`, its content. Scope: `files:read`. */
  'GET /api/v4/fs/{id}': {
    params: { id: string }
    query?: {
      downloadUrl?: '0' | '1' | 'true' | 'false' | null
      previewUrl?: '0' | '1' | 'true' | 'false' | null
      download?: '0' | '1' | 'true' | 'false' | null
    }
    ok: {
      id: string
      type: 'file' | 'collection' | 'unknown'
      created_at: string
      updated_at: string
      name: string
      size: number
      mimetype: string | null
      mtime: string
      isOwner: boolean
      canUpdate: boolean
      canDelete: boolean
      canShare: boolean
      isShared: boolean
      hasThumbnail: boolean
      hasPreview: boolean
      owner?: { email: string; name: string }
      parents: string[]
      path: { id: string; name: string }[]
      sha256: string | null
      versions: number
      scan: 'off' | 'waiting' | 'clean' | 'infected'
      share?: { id: string; permissions: 'read-only' | 'read-write' }
      downloadUrl?: string
      previewUrl?: string
    }
  }
  /** Move a file, or a collection with its contents, to the trash. Scope: `files:write`. */
  'DELETE /api/v4/fs/{id}': { params: { id: string }; ok: { status: 'success'; message: string } }
  /** Copy a file, or a collection with its contents. Content is stored once but counts towards the quota again. Scope: `files:write`. */
  'POST /api/v4/fs/{id}/copy': {
    params: { id: string }
    body?: {
      parent?: string | null
      name?: string | null
      conflict?: 'keep' | 'rename' | 'fail' | 'replace' | null
    }
    ok: { status: 'success'; message: string; id: string }
  }
  /** Move several items to one collection, all or none; removes them from all other collections. Scope: `files:write`. */
  'POST /api/v4/fs/move': {
    body: { ids: string[]; parent?: string | null }
    ok: { status: 'success'; message: string }
  }
  /** Get a URL for downloading items as a ZIP archive, including the contents of collections. Scope: `files:write`. */
  'POST /api/v4/fs/zip': {
    body: { ids: string[]; name?: string | null }
    ok: { status: 'success'; downloadUrl: string; name: string }
  }
  /** Get a thumbnail of an image. Scope: `files:read`. */
  'GET /api/v4/fs/{id}/thumbnail': {
    params: { id: string }
    query?: { size?: '64' | '256' | '1024' | null }
    ok: Record<string, never>
  }
  /** Create a file from the body, start a resumable upload, or create a collection. Scope: `files:write`. */
  'POST /api/v4/fs': {
    query?: {
      type?: string | null
      name?: string | null
      parent?: string | null
      media?: string | null
      size?: number | null
      sha256?: string | null
      mtime?: number | null
      conflict?: 'keep' | 'rename' | 'fail' | 'replace' | null
      deviceId?: string | null
      collectionType?: string | null
      'deduplicate-property'?: string | null
      'deduplicate-value'?: string | null
    }
    content: Content
    ok:
      | {
          status: 'success'
          message: string
          id: string
          type: 'file' | 'collection' | 'unknown'
          name: string
          size: number
          mimetype: string | null
          created_at: string
          updated_at: string
        }
      | { status: 'success'; uploadId: string; uploaded: number; maxChunkSize: number }
      | { status: 'success'; message: string; id: string }
  }
  /** Rename or move a file or collection, or replace the content of a file. Scope: `files:write`. */
  'PUT /api/v4/fs/{id}': {
    params: { id: string }
    query?: {
      name?: string | null
      media?: string | null
      size?: number | null
      sha256?: string | null
      mtime?: number | null
    }
    content: Content
    ok:
      | {
          status: 'success'
          message: string
          id: string
          type: 'file' | 'collection' | 'unknown'
          name: string
          size: number
          mimetype: string | null
          created_at: string
          updated_at: string
        }
      | { status: 'success'; uploadId: string; uploaded: number; maxChunkSize: number }
  }
  /** List the caller's unfinished uploads, newest first. Scope: `files:read`. */
  'GET /api/v4/fs/uploads': {
    ok: {
      list: {
        uploadId: string
        name: string
        size: number
        uploaded: number
        maxChunkSize: number
        parent: string | null
        item: string | null
        created_at: string
        expires_at: string
      }[]
      count: number
    }
  }
  /** Send the next chunk of an upload; the last one returns the file. Scope: `files:write`. */
  'POST /api/v4/fs/uploads/{uploadId}': {
    params: { uploadId: string }
    query: { from: string }
    content: Content
    ok:
      | {
          status: 'success'
          message: string
          id: string
          type: 'file' | 'collection' | 'unknown'
          name: string
          size: number
          mimetype: string | null
          created_at: string
          updated_at: string
        }
      | { status: 'success'; uploadId: string; uploaded: number }
  }
  /** Get the progress of an upload. Scope: `files:read`. */
  'GET /api/v4/fs/uploads/{uploadId}': {
    params: { uploadId: string }
    ok:
      | {
          status: 'success'
          uploadId: string
          uploaded: number
          maxChunkSize: number
          size: number
          isComplete: false
          expires_at: string
        }
      | { status: 'success'; uploadId: string; uploaded: number; isComplete: true; id: string }
  }
  /** Cancel an upload and delete its stored data. Scope: `files:write`. */
  'DELETE /api/v4/fs/uploads/{uploadId}': {
    params: { uploadId: string }
    ok: { status: 'success'; message: string }
  }
  /** List versions of a file, newest first, for its owner and users with write access. Scope: `files:read`. */
  'GET /api/v4/fs/{id}/versions': {
    params: { id: string }
    ok: {
      list: {
        id: string
        number: number
        isCurrent: boolean
        size: number
        mimetype: string
        sha256: string
        created_at: string
        user: string | null
        kept_until: string | null
      }[]
      count: number
    }
  }
  /** Get a version with a download URL that is valid for 60 s. Scope: `files:read`. */
  'GET /api/v4/fs/{id}/versions/{version}': {
    params: { id: string; version: string }
    ok: {
      id: string
      number: number
      isCurrent: boolean
      size: number
      mimetype: string
      sha256: string
      created_at: string
      user: string | null
      kept_until: string | null
      downloadUrl: string
    }
  }
  /** Restore a version; the current content is kept as a version. Scope: `files:write`. */
  'POST /api/v4/fs/{id}/versions/{version}/restore': {
    params: { id: string; version: string }
    body?: Record<string, never>
    ok: { status: 'success'; message: string }
  }
  /** Delete a version permanently, except the current one. Scope: `files:write`. */
  'DELETE /api/v4/fs/{id}/versions/{version}': {
    params: { id: string; version: string }
    ok: { status: 'success'; message: string }
  }
  /** List activity of a file or collection, newest first, for its owner. Scope: `files:read`. */
  'GET /api/v4/fs/{id}/events': {
    params: { id: string }
    query?: { page?: number | null; size?: number | null }
    ok: {
      list: {
        id: string
        createdAt: string
        times?: number
        lastAt?: string
        event: string
        title: string
        objectType: string
        objectId: number
        object: string | null
        objectDeleted: boolean
        actorId: number | null
        actor: string | null
        actorName?: string
        byStaff?: true
        onBehalf?: string
        apiKey?: string
        ip: string | null
        comment: string | null
        data: Record<string, unknown> | null
        file?: 'file' | 'collection'
      }[]
      count: number
      hasMore: boolean
    }
  }
  /** List the caller's deleted items, newest first by default. Scope: `files:read`. */
  'GET /api/v4/fs/trash': {
    query?: {
      search?: string | null
      sort?: 'deleted' | 'name' | 'size' | null
      order?: 'asc' | 'desc' | null
      page?: number | null
      size?: number | null
    }
    ok: {
      list: {
        id: string
        type: 'file' | 'collection' | 'unknown'
        name: string
        size: number
        mimetype: string | null
        created_at: string
        updated_at: string
        deleted_at: string
        expires_at: string
        items: number
        total_size: number
        from: string | null
        deleted_by: string | null
      }[]
      count: number
      hasMore: boolean
      total: number
    }
  }
  /** Move several items to the trash, all or none. Scope: `files:write`. */
  'POST /api/v4/fs/trash': { body: { ids: string[] }; ok: { status: 'success'; message: string } }
  /** Empty the trash; deletes its items permanently. Scope: `files:write`. */
  'DELETE /api/v4/fs/trash': { ok: { status: 'success'; message: string } }
  /** Restore items from the trash to their collection, or to the root if it no longer exists. Scope: `files:write`. */
  'POST /api/v4/fs/trash/restore': { body: { ids: string[] }; ok: { status: 'success'; message: string } }
  /** Delete an item from the trash permanently, with everything deleted along with it. Scope: `files:write`. */
  'DELETE /api/v4/fs/trash/{id}': { params: { id: string }; ok: { status: 'success'; message: string } }
  /** Get the caller's storage limit and usage. Scope: `files:read`. */
  'GET /api/v4/fs/quota': {
    ok: {
      limit: number
      used: number
      trash: number
      versions: number
      uploads: number
      trash_days: number
      versions_kept: number
      version_days: number
    }
  }
  /** List shares of an item by address, for its owner. Scope: `files:read`. */
  'GET /api/v4/fs/{id}/permissions': {
    params: { id: string }
    ok: {
      list: {
        id: string
        user: string
        permissions: 'read-only' | 'read-write'
        link: string
        created_at: string
      }[]
      count: number
    }
  }
  /** Remove a share. Scope: `files:write`. */
  'DELETE /api/v4/fs/{id}/permissions/{permission}': {
    params: { id: string; permission: string }
    ok: { status: 'success'; message: string }
  }
  /** List items that others share with the caller. Scope: `files:read`. */
  'GET /api/v4/fs/shared': {
    query?: {
      search?: string | null
      sort?: 'name' | 'size' | 'mtime' | 'created' | 'type' | null
      order?: 'asc' | 'desc' | null
      page?: number | null
      size?: number | null
    }
    ok: {
      list: {
        id: string
        type: 'file' | 'collection' | 'unknown'
        created_at: string
        updated_at: string
        name: string
        size: number
        mimetype: string | null
        mtime: string
        isOwner: boolean
        canUpdate: boolean
        canDelete: boolean
        canShare: boolean
        isShared: boolean
        hasThumbnail: boolean
        hasPreview: boolean
        owner: { email: string; name: string }
        share: { id: string; permissions: 'read-only' | 'read-write'; created_at: string; link: string }
      }[]
      count: number
      hasMore: boolean
      total: number
    }
  }
  /** Remove a link; running downloads are aborted. Scope: `files:write`. */
  'DELETE /api/v4/fs/{id}/links/{link}': {
    params: { id: string; link: string }
    ok: { status: 'success'; message: string }
  }
  /** List rooms in the accounts that the caller owns or controls, and rooms shared with the caller. Scope: `rooms:read`. */
  'GET /api/v4/rooms': {
    query?: {
      page?: number | null
      size?: number | null
      search?: string | null
      sort?: 'name' | 'description' | 'created' | null
      order?: 'asc' | 'desc' | null
      status?: 'active' | 'deleted' | null
    }
    ok: {
      list: {
        id: number
        created_at: string
        deleted_at: string | null
        restorable_until: string | null
        name: string
        description: string | null
        isReady: boolean
        isDeleted: boolean
        isOwner: boolean
        isOpen: boolean
        participants: number
      }[]
      count: number
      hasMore: boolean
      total: number
      message: string
    }
  }
  /** Create a room with a generated name. Scope: `rooms:write`. */
  'POST /api/v4/rooms': {
    body?: { description?: string | null; skus?: Record<string, unknown> | null }
    ok: { status: 'success'; message: string; id: number; name: string }
  }
  /** Get a room by number or name. Scope: `rooms:read`. */
  'GET /api/v4/rooms/{id}': {
    params: { id: string }
    ok: {
      id: number
      created_at: string
      updated_at: string
      deleted_at: string | null
      skus: Record<string, { count: number; costs: number[] }>
      wallet: {
        id: string
        user_id: number
        description: string | null
        currency: string
        balance: number
        discount_id: string | null
        discount: number | null
        discount_description: string | null
        user_email?: string
        provider: string
      } | null
      revision: string
      canUpdate: boolean
      canDelete: boolean
      canConfigure: boolean
      canReadEvents: boolean
      name: string
      description: string | null
      isReady: boolean
      isDeleted: boolean
      isOpen: boolean
      participants: number
      config: { acl?: string[]; locked: boolean; nomedia: boolean; password: string | null }
      canShare: boolean
      isOwner: boolean
    }
  }
  /** Change description or subscriptions of a room. Scope: `rooms:write`. */
  'PUT /api/v4/rooms/{id}': {
    params: { id: string }
    body?: { description?: string | null; skus?: Record<string, unknown> | null; revision?: string | null }
    ok: { status: 'success'; message: string; revision: string }
  }
  /** Delete a room; a running meeting ends. Scope: `rooms:write`. */
  'DELETE /api/v4/rooms/{id}': { params: { id: string }; ok: { status: 'success'; message: string } }
  /** Restore a deleted room. Scope: `rooms:write`. */
  'POST /api/v4/rooms/{id}/restore': {
    params: { id: string }
    body?: Record<string, never>
    ok: { status: 'success'; message: string }
  }
  /** List subscriptions of a room, including available ones. Scope: `rooms:read`. */
  'GET /api/v4/rooms/{id}/skus': {
    params: { id: string }
    ok: {
      id: string
      title: string
      name: string
      description: string
      cost: number
      units_free: number
      period: 'monthly' | 'yearly'
      active: 0 | 1
      type: 'user' | 'domain' | 'group' | 'resource' | 'sharedFolder' | 'room'
      handler: string
      readonly: boolean
      enabled: boolean
      prio: number
      range?: { min: number; max: number; unit: string }
      required?: string[]
      forbidden?: string[]
      exclusive?: string[]
      controllerOnly?: true
      canGive?: true
      nextCost?: number
      billed?: { month: number; year: number }
      coming?: { cost: number; date: string }
    }[]
  }
  /** Export users as CSV. Scope: `bulk-work:read`. */
  'GET /api/v4/users/export': {
    query?: {
      search?: string | null
      bom?: '0' | '1' | null
      status?: 'active' | 'pending' | 'suspended' | 'degraded' | 'deleted' | null
    }
    ok: string
  }
  /** Export domains as CSV. Scope: `bulk-work:read`. */
  'GET /api/v4/domains/export': {
    query?: {
      search?: string | null
      bom?: '0' | '1' | null
      status?: 'active' | 'pending' | 'suspended' | 'deleted' | null
    }
    ok: string
  }
  /** Export distribution lists as CSV, with one row per list or per recipient. Scope: `bulk-work:read`. */
  'GET /api/v4/groups/export': {
    query?: {
      search?: string | null
      bom?: '0' | '1' | null
      status?: 'active' | 'pending' | 'suspended' | 'deleted' | null
      by?: 'list' | 'member' | null
    }
    ok: string
  }
  /** Export resources as CSV. Scope: `bulk-work:read`. */
  'GET /api/v4/resources/export': {
    query?: {
      search?: string | null
      bom?: '0' | '1' | null
      status?: 'active' | 'pending' | 'suspended' | 'deleted' | null
    }
    ok: string
  }
  /** Export shared folders as CSV. Scope: `bulk-work:read`. */
  'GET /api/v4/shared-folders/export': {
    query?: {
      search?: string | null
      bom?: '0' | '1' | null
      status?: 'active' | 'pending' | 'suspended' | 'deleted' | null
    }
    ok: string
  }
  /** Run or preview an action on many objects. Scope: `bulk-work:write`. */
  'POST /api/v4/bulk': {
    body: {
      objects: 'users' | 'domains' | 'groups' | 'resources' | 'shared-folders'
      action: 'delete' | 'restore' | 'package' | 'join' | 'leave' | 'suspend' | 'resume' | 'password-link'
      ids?: number[] | null
      filter?: { search?: string | null; status?: string | null } | null
      package?: string | null
      group?: number | null
      dryRun?: boolean | null
    }
    ok: {
      status: 'success'
      message: string
      preview?: {
        total: number
        ok: number
        refused: number
        rows: {
          n: number
          label: string
          state: 'open' | 'ok' | 'refused' | 'done' | 'failed' | 'skipped'
          messages: { field: string | null; text: string }[]
          objectId: number | null
        }[]
        price: { currency: string; discount: number; monthly: { now: number; next: number }; dueNow: number }
      }
      batch?: {
        id: string
        kind: 'bulk' | 'import' | 'plan'
        objects: string
        action:
          | 'delete'
          | 'restore'
          | 'package'
          | 'join'
          | 'leave'
          | 'suspend'
          | 'resume'
          | 'password-link'
          | 'create'
          | 'apply'
          | 'undo'
        state: 'reading' | 'checking' | 'ready' | 'running' | 'done' | 'cancelled'
        by: string | null
        total: number
        counts: Record<string, number>
        price: {
          currency: string
          discount: number
          monthly: { now: number; next: number }
          dueNow: number
        } | null
        created_at: string
        started_at: string | null
        ended_at: string | null
        canStart: boolean
        canCancel: boolean
      }
    }
  }
  /** List bulk actions and imports in the accounts that the caller owns or controls, newest first. Scope: `bulk-work:read`. */
  'GET /api/v4/batches': {
    query?: { page?: number | null; size?: number | null }
    ok: {
      list: {
        id: string
        kind: 'bulk' | 'import' | 'plan'
        objects: string
        action:
          | 'delete'
          | 'restore'
          | 'package'
          | 'join'
          | 'leave'
          | 'suspend'
          | 'resume'
          | 'password-link'
          | 'create'
          | 'apply'
          | 'undo'
        state: 'reading' | 'checking' | 'ready' | 'running' | 'done' | 'cancelled'
        by: string | null
        total: number
        counts: Record<string, number>
        price: {
          currency: string
          discount: number
          monthly: { now: number; next: number }
          dueNow: number
        } | null
        created_at: string
        started_at: string | null
        ended_at: string | null
        canStart: boolean
        canCancel: boolean
      }[]
      count: number
      hasMore: boolean
      total: number
    }
  }
  /** Get state and progress of a batch. Scope: `bulk-work:read`. */
  'GET /api/v4/batches/{id}': {
    params: { id: string }
    ok: {
      id: string
      kind: 'bulk' | 'import' | 'plan'
      objects: string
      action:
        | 'delete'
        | 'restore'
        | 'package'
        | 'join'
        | 'leave'
        | 'suspend'
        | 'resume'
        | 'password-link'
        | 'create'
        | 'apply'
        | 'undo'
      state: 'reading' | 'checking' | 'ready' | 'running' | 'done' | 'cancelled'
      by: string | null
      total: number
      counts: Record<string, number>
      price: {
        currency: string
        discount: number
        monthly: { now: number; next: number }
        dueNow: number
      } | null
      created_at: string
      started_at: string | null
      ended_at: string | null
      canStart: boolean
      canCancel: boolean
    }
  }
  /** List rows of a batch with their results. Scope: `bulk-work:read`. */
  'GET /api/v4/batches/{id}/rows': {
    params: { id: string }
    query?: {
      page?: number | null
      size?: number | null
      state?: 'open' | 'ok' | 'refused' | 'done' | 'failed' | 'skipped' | null
    }
    ok: {
      list: {
        n: number
        label: string
        state: 'open' | 'ok' | 'refused' | 'done' | 'failed' | 'skipped'
        messages: { field: string | null; text: string }[]
        objectId: number | null
      }[]
      count: number
      hasMore: boolean
      total: number
    }
  }
  /** Export rows of a batch with their results as CSV. Scope: `bulk-work:read`. */
  'GET /api/v4/batches/{id}/export': {
    params: { id: string }
    query?: {
      state?: 'open' | 'ok' | 'refused' | 'done' | 'failed' | 'skipped' | null
      bom?: '0' | '1' | null
    }
    ok: string
  }
  /** Stop a batch before its next row; processed rows aren't undone. Scope: `bulk-work:write`. */
  'POST /api/v4/batches/{id}/cancel': {
    params: { id: string }
    body?: Record<string, never>
    ok: {
      status: 'success'
      message: string
      batch: {
        id: string
        kind: 'bulk' | 'import' | 'plan'
        objects: string
        action:
          | 'delete'
          | 'restore'
          | 'package'
          | 'join'
          | 'leave'
          | 'suspend'
          | 'resume'
          | 'password-link'
          | 'create'
          | 'apply'
          | 'undo'
        state: 'reading' | 'checking' | 'ready' | 'running' | 'done' | 'cancelled'
        by: string | null
        total: number
        counts: Record<string, number>
        price: {
          currency: string
          discount: number
          monthly: { now: number; next: number }
          dueNow: number
        } | null
        created_at: string
        started_at: string | null
        ended_at: string | null
        canStart: boolean
        canCancel: boolean
      }
    }
  }
  /** Get the state of the caller's account as a document for a plan. Scope: `desired-state:read`. */
  'GET /api/v4/state': {
    ok: {
      version: 1
      complete?: ('domains' | 'users' | 'lists' | 'resources' | 'folders' | 'rooms')[]
      domains?: { name: string; package?: string; spf_whitelist?: string[] }[]
      users?: {
        email: string
        first_name?: string | null
        last_name?: string | null
        organization?: string | null
        department?: string | null
        phone?: string | null
        external_email?: string | null
        billing_address?: string | null
        country?: string | null
        currency?: string | null
        aliases?: string[]
        package?: string
        quota?: number
        settings?: {
          greylist_enabled?: boolean | null
          itip_config?: boolean | null
          externalsender_config?: boolean | null
          guam_enabled?: boolean
          limit_geo?: string[]
        }
      }[]
      lists?: {
        email: string
        name?: string
        members?: string[]
        sender_policy?: string[]
        members_may_send?: boolean
      }[]
      resources?: { name: string; domain: string; invitation_policy?: string }[]
      folders?: {
        name: string
        domain: string
        type?: 'mail' | 'event' | 'contact' | 'task' | 'note' | 'file'
        aliases?: string[]
        acl?: string[]
      }[]
      rooms?: {
        name?: string
        description?: string | null
        locked?: boolean
        nomedia?: boolean
        moderators?: string[]
      }[]
      policies?: {
        greylist_policy?: boolean
        itip_policy?: boolean
        externalsender_policy?: boolean
        externalsender_policy_domains?: string[]
        password_policy?: string | null
        max_password_age?: number | null
        staff_access_policy?: boolean | null
        second_factor_policy?: 'optional' | 'required' | null
      }
    }
  }
  /** Plan the changes that give the account the state of a document; changes nothing yet. Scope: `desired-state:write`. */
  'POST /api/v4/plans': {
    query?: Record<string, never>
    content: Content
    ok: {
      status: 'success'
      message: string
      plan: {
        id: string | null
        state: 'ready' | 'expired' | 'applying' | 'applied' | 'failed' | 'cancelled'
        undoes: string | null
        by: string | null
        counts: Record<string, number>
        total: number
        refused: number
        price: { currency: string; discount: number; monthly: { now: number; next: number }; dueNow: number }
        steps: {
          n: number
          kind: 'domains' | 'users' | 'lists' | 'resources' | 'folders' | 'rooms' | 'policies'
          action: 'create' | 'change' | 'delete' | 'restore'
          label: string
          before: Record<string, unknown> | null
          after: Record<string, unknown> | null
          state: 'open' | 'ok' | 'refused' | 'done' | 'failed' | 'skipped'
          messages: { field: string | null; text: string }[]
          objectId: number | null
          undo: { possible: boolean; note: string | null }
        }[]
        created_at: string
        expires_at: string
        ended_at: string | null
        canApply: boolean
        canUndo: boolean
      }
    }
  }
  /** Get state and price of a plan. Scope: `desired-state:read`. */
  'GET /api/v4/plans/{id}': {
    params: { id: string }
    ok: {
      id: string | null
      state: 'ready' | 'expired' | 'applying' | 'applied' | 'failed' | 'cancelled'
      undoes: string | null
      by: string | null
      counts: Record<string, number>
      total: number
      refused: number
      price: { currency: string; discount: number; monthly: { now: number; next: number }; dueNow: number }
      steps: {
        n: number
        kind: 'domains' | 'users' | 'lists' | 'resources' | 'folders' | 'rooms' | 'policies'
        action: 'create' | 'change' | 'delete' | 'restore'
        label: string
        before: Record<string, unknown> | null
        after: Record<string, unknown> | null
        state: 'open' | 'ok' | 'refused' | 'done' | 'failed' | 'skipped'
        messages: { field: string | null; text: string }[]
        objectId: number | null
        undo: { possible: boolean; note: string | null }
      }[]
      created_at: string
      expires_at: string
      ended_at: string | null
      canApply: boolean
      canUndo: boolean
    }
  }
  /** List the steps of a plan with their results. Scope: `desired-state:read`. */
  'GET /api/v4/plans/{id}/steps': {
    params: { id: string }
    query?: { page?: number | null; size?: number | null }
    ok: {
      list: {
        n: number
        kind: 'domains' | 'users' | 'lists' | 'resources' | 'folders' | 'rooms' | 'policies'
        action: 'create' | 'change' | 'delete' | 'restore'
        label: string
        before: Record<string, unknown> | null
        after: Record<string, unknown> | null
        state: 'open' | 'ok' | 'refused' | 'done' | 'failed' | 'skipped'
        messages: { field: string | null; text: string }[]
        objectId: number | null
        undo: { possible: boolean; note: string | null }
      }[]
      count: number
      hasMore: boolean
      total: number
    }
  }
  /** Apply a plan, all steps or none; has no effect on a plan that was already applied. Scope: `desired-state:write`. */
  'POST /api/v4/plans/{id}/apply': {
    params: { id: string }
    body?: Record<string, never>
    ok: {
      status: 'success'
      message: string
      plan: {
        id: string | null
        state: 'ready' | 'expired' | 'applying' | 'applied' | 'failed' | 'cancelled'
        undoes: string | null
        by: string | null
        counts: Record<string, number>
        total: number
        refused: number
        price: { currency: string; discount: number; monthly: { now: number; next: number }; dueNow: number }
        steps: {
          n: number
          kind: 'domains' | 'users' | 'lists' | 'resources' | 'folders' | 'rooms' | 'policies'
          action: 'create' | 'change' | 'delete' | 'restore'
          label: string
          before: Record<string, unknown> | null
          after: Record<string, unknown> | null
          state: 'open' | 'ok' | 'refused' | 'done' | 'failed' | 'skipped'
          messages: { field: string | null; text: string }[]
          objectId: number | null
          undo: { possible: boolean; note: string | null }
        }[]
        created_at: string
        expires_at: string
        ended_at: string | null
        canApply: boolean
        canUndo: boolean
      }
    }
  }
  /** Plan the changes that undo an applied plan; changes nothing yet. Scope: `desired-state:write`. */
  'POST /api/v4/plans/{id}/undo': {
    params: { id: string }
    body?: Record<string, never>
    ok: {
      status: 'success'
      message: string
      plan: {
        id: string | null
        state: 'ready' | 'expired' | 'applying' | 'applied' | 'failed' | 'cancelled'
        undoes: string | null
        by: string | null
        counts: Record<string, number>
        total: number
        refused: number
        price: { currency: string; discount: number; monthly: { now: number; next: number }; dueNow: number }
        steps: {
          n: number
          kind: 'domains' | 'users' | 'lists' | 'resources' | 'folders' | 'rooms' | 'policies'
          action: 'create' | 'change' | 'delete' | 'restore'
          label: string
          before: Record<string, unknown> | null
          after: Record<string, unknown> | null
          state: 'open' | 'ok' | 'refused' | 'done' | 'failed' | 'skipped'
          messages: { field: string | null; text: string }[]
          objectId: number | null
          undo: { possible: boolean; note: string | null }
        }[]
        created_at: string
        expires_at: string
        ended_at: string | null
        canApply: boolean
        canUndo: boolean
      }
    }
  }
  /** List activity in the accounts that the caller owns or controls, newest first. Scope: `events:read`. */
  'GET /api/v4/events': {
    query?: {
      page?: number | null
      size?: number | null
      objectType?: string | null
      object?: string | null
      actor?: string | null
      event?: string | null
      from?: string | null
      to?: string | null
    }
    ok: {
      list: {
        id: string
        createdAt: string
        times?: number
        lastAt?: string
        event: string
        title: string
        objectType: string
        objectId: number
        object: string | null
        objectDeleted: boolean
        actorId: number | null
        actor: string | null
        actorName?: string
        byStaff?: true
        onBehalf?: string
        apiKey?: string
        ip: string | null
        comment: string | null
        data: Record<string, unknown> | null
        file?: 'file' | 'collection'
      }[]
      count: number
      hasMore: boolean
    }
  }
  /** Read events of the accounts that the caller owns or controls, in a stable order after a cursor. Scope: `events:read`. */
  'GET /api/v4/events/feed': {
    query?: { cursor?: string | null; limit?: number | null; type?: string | null }
    ok: {
      list: {
        id: string
        type: string
        time: string
        object: { type: string; id: number; name: string | null }
        actor: { kind: 'user' | 'staff' | 'api-key' | 'system'; id: number | null; apiKey: string | null }
        data: Record<string, unknown> | null
      }[]
      count: number
      cursor: string
      hasMore: boolean
    }
  }
  /** List activity of a user, newest first. Scope: `events:read`. */
  'GET /api/v4/users/{id}/events': {
    params: { id: string }
    query?: {
      page?: number | null
      size?: number | null
      actor?: string | null
      event?: string | null
      from?: string | null
      to?: string | null
    }
    ok: {
      list: {
        id: string
        createdAt: string
        times?: number
        lastAt?: string
        event: string
        title: string
        objectType: string
        objectId: number
        object: string | null
        objectDeleted: boolean
        actorId: number | null
        actor: string | null
        actorName?: string
        byStaff?: true
        onBehalf?: string
        apiKey?: string
        ip: string | null
        comment: string | null
        data: Record<string, unknown> | null
        file?: 'file' | 'collection'
      }[]
      count: number
      hasMore: boolean
    }
  }
  /** List own mail and that of the accounts the caller owns or controls with its steps, newest first. Scope: `mail:read`. */
  'GET /api/v4/mail/messages': {
    query?: {
      person?: string | null
      direction?: 'in' | 'out' | null
      outcome?: 'delivered' | 'accepted' | 'delayed' | 'held' | 'refused' | 'bounced' | null
      from?: string | null
      to?: string | null
      after?: string | null
      size?: number | null
    }
    ok: {
      list: {
        id: string
        direction: 'in' | 'out'
        sender: string
        recipients: string[]
        outcome: 'delivered' | 'accepted' | 'delayed' | 'held' | 'refused' | 'bounced'
        firstAt: string
        lastAt: string
        messageId: string | null
        queueIds: string[]
        steps: (
          | {
              kind: 'decision'
              at: string
              recipient: string | null
              policy: string
              reason: string
              code: string | null
              action: 'accept' | 'defer' | 'hold' | 'reject' | 'discard'
              client: string | null
              facts: {
                delay?: number
                waited?: number
                used?: number
                most?: number
                exception?: string
                entry?: string
                refused?: string
                response?: string
                verifiedDomain?: string
                verifiedBy?: 'sasl' | 'local' | 'spf' | 'dkim' | 'dmarc'
              }
            }
          | {
              kind: 'log'
              at: string
              recipient: string | null
              event:
                | 'received'
                | 'queued'
                | 'sent'
                | 'deferred'
                | 'bounced'
                | 'expired'
                | 'notified'
                | 'held'
                | 'released'
                | 'removed'
              server: string
              client: string | null
              relay: string | null
              status: string | null
              response: string | null
              size: number | null
            }
        )[]
      }[]
      next: string | null
    }
  }
  /** Search users, domains, lists, resources, folders and rooms by name, organisation or address, best match first. Scope: `search:read`. */
  'GET /api/v4/search': {
    query?: { q?: string | null }
    ok: {
      list: {
        type: 'user' | 'domain' | 'distlist' | 'resource' | 'folder' | 'room'
        id: number
        title: string
        detail: string | null
      }[]
    }
  }
  /** Search your own addresses. Scope: `address-book:read`. */
  'GET /api/v4/search/self': {
    query?: { search?: string | null; limit?: number | null; alias?: string | null }
    ok: { list: { email: string; name: string }[]; count: number }
  }
  /** Search the users of your account by name or address, if the installation offers it. Scope: `address-book:read`. */
  'GET /api/v4/search/user': {
    query?: { search?: string | null; limit?: number | null; alias?: string | null }
    ok: { list: { email: string; name: string }[]; count: number }
  }
  /** Search the address book of your account: users, distribution lists and resources. Scope: `address-book:read`. */
  'GET /api/v4/search/contacts': {
    query?: { search?: string | null; limit?: number | null }
    ok: { list: { email: string; name: string }[]; count: number }
  }
  /** Read which features the webmail should offer you. Scope: `address-book:read`. */
  'GET /api/v4/config/webmail': {
    ok: { 'kolab-configuration-overlays': ('kolab4' | 'activesync' | '2fa' | 'groupware')[] }
  }
  /** List the webhooks of the caller's account, newest first. Scope: `webhooks:read`. */
  'GET /api/v4/webhooks': {
    ok: {
      list: {
        id: string
        name: string
        url: string
        types: string[]
        created_at: string
        paused: { at: string; reason: 'owner' | 'failing' | 'gone' | 'operator' } | null
        failingSince: string | null
        previousUntil: string | null
      }[]
      count: number
      limit: number
      deliveryDays: number
    }
  }
  /** Pause a webhook; events are delivered when it is resumed. Scope: `webhooks:write`. */
  'POST /api/v4/webhooks/{id}/pause': { params: { id: string }; ok: { status: 'success'; message: string } }
  /** Resume a webhook where it stopped. Scope: `webhooks:write`. */
  'POST /api/v4/webhooks/{id}/resume': { params: { id: string }; ok: { status: 'success'; message: string } }
  /** Deliver all events since a date again. Scope: `webhooks:write`. */
  'POST /api/v4/webhooks/{id}/replay': {
    params: { id: string }
    body: { from: string }
    ok: { status: 'success'; message: string }
  }
  /** Send a test message once and return the outcome. Scope: `webhooks:write`. */
  'POST /api/v4/webhooks/{id}/test': {
    params: { id: string }
    ok: {
      status: 'success'
      message: string
      delivery: {
        id: string
        event: string
        type: string
        state: 'pending' | 'delivered' | 'failed'
        attempts: number
        created_at: string
        attemptedAt: string | null
        nextAt: string | null
        status: number | null
        error: 'timeout' | 'connection' | 'dns' | 'tls' | 'private-address' | null
        durationMs: number | null
        answer: string | null
      }
    }
  }
  /** List deliveries of a webhook, newest first. Scope: `webhooks:read`. */
  'GET /api/v4/webhooks/{id}/deliveries': {
    params: { id: string }
    query?: { page?: number | null; size?: number | null; state?: 'pending' | 'delivered' | 'failed' | null }
    ok: {
      list: {
        id: string
        event: string
        type: string
        state: 'pending' | 'delivered' | 'failed'
        attempts: number
        created_at: string
        attemptedAt: string | null
        nextAt: string | null
        status: number | null
        error: 'timeout' | 'connection' | 'dns' | 'tls' | 'private-address' | null
        durationMs: number | null
        answer: string | null
      }[]
      count: number
      hasMore: boolean
    }
  }
}
