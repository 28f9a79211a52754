// Generated from the schema.sql of the rooms; `npm test -- row-types -u` writes it again.
// What the schema can't express is in schema.ts.
import type { Generated } from 'kysely'
import type { Computed, Created, Json, JsonOrNull } from './column-types.ts'

export interface Tables {
  accessTokens: {
    hash: Buffer
    sessionId: string
    userId: number
    scopes: string[]
    expiresAt: Date
    impersonationId: string | null
    authenticatedAt: Date | null
  }
  accountOffers: {
    id: string
    kind: 'controller' | 'give' | 'take'
    walletId: string
    email: string
    userId: number | null
    invitedBy: number | null
    codeHash: Buffer
    createdAt: Created
    expiresAt: Date
    heirId: number | null
  }
  accountSending: {
    walletId: string
    version: number
    minutes: Json<unknown>
    hours: Json<unknown>
  }
  addresses: {
    address: string
    kind: 'user' | 'alias' | 'group' | 'resource' | 'shared-folder' | 'folder-alias'
    objectId: number
    tenantId: number
    domain: Computed<string | null>
  }
  apiKeyRequests: {
    keyId: string
    beganAt: Date
    requests: number
  }
  apiKeySecrets: {
    prefix: string
    keyId: string
    secretHash: Buffer
    createdAt: Created
    validUntil: Date | null
  }
  apiKeys: {
    id: string
    userId: number | null
    walletId: string | null
    createdBy: number | null
    name: string
    scopes: string[]
    networks: string[]
    createdAt: Created
    expiresAt: Date | null
    noticedAt: Date | null
    lastUsedAt: Date | null
    lastUsedIp: string | null
  }
  appPasswords: {
    id: string
    userId: number
    name: string
    scopes: string[]
    secretHash: Buffer
    createdAt: Created
    expiresAt: Date | null
    lastUsedAt: Date | null
    lastUsedIp: string | null
    lastUsedService: string | null
  }
  authAttempts: {
    id: string
    userId: number
    ip: string
    status: 'NEW' | 'ACCEPTED' | 'DENIED'
    service: string
    userAgent: string
    expiresAt: Date | null
    lastSeen: Date
    createdAt: Created
    updatedAt: Date
  }
  batchRows: {
    batchId: string
    n: number
    label: string
    input: Json<unknown>
    secret: Buffer | null
    state: 'open' | 'ok' | 'refused' | 'done' | 'failed' | 'skipped'
    message: JsonOrNull<unknown>
    objectId: number | null
  }
  batches: {
    id: string
    tenantId: number
    walletId: string
    userId: number
    actor: JsonOrNull<unknown>
    language: string
    kind: 'bulk' | 'import' | 'plan'
    objects: string
    action: string
    params: Json<unknown>
    state: 'reading' | 'checking' | 'ready' | 'running' | 'done' | 'cancelled'
    total: Generated<number>
    price: JsonOrNull<unknown>
    createdAt: Created
    startedAt: Date | null
    endedAt: Date | null
  }
  billedPeriods: {
    entitlementId: string
    since: Date
    until: Date
    cost: number
    fee: number
    entryId: string | null
    countedFrom: Date | null
    profitId: string | null
  }
  bookingRequests: {
    id: string
    resourceId: number
    managerId: number
    uid: string
    sequence: number
    stamp: Date
    summary: string
    organizer: string
    starts: string | null
    timeZone: string | null
    isRecurring: boolean
    askedAt: Date
  }
  calendarCancellations: {
    userId: number | null
    uid: string
    recurrence: Date | null
    isFollowing: boolean
    sequence: number
    stamp: Date
    keptAt: Date
    resourceId: number | null
  }
  companionPairings: {
    companionId: string
    secretHash: Buffer
    codeHash: Buffer
    createdAt: Created
    expiresAt: Date
  }
  companions: {
    id: string
    userId: number
    name: string
    isRecovery: Generated<boolean>
    deviceId: Generated<string>
    mfaEnabled: Generated<boolean>
    notificationToken: string | null
    pushSubscription: Buffer | null
    pairedAt: Date | null
    lastUsedAt: Date | null
    createdAt: Created
    updatedAt: Date
  }
  countryDatabase: {
    isOnly: Generated<boolean>
    version: string
    source: string
    builtAt: Date
    fetchedAt: Date
    bytes: number
    content: Buffer
  }
  dailyStats: {
    kind: 'created' | 'deleted' | 'payers' | 'country' | 'income' | 'signups'
    tenantId: number
    day: string
    label: Generated<string>
    value: number
  }
  dataExports: {
    id: string
    kind: 'person' | 'account'
    tenantId: number
    userId: number
    walletId: string | null
    state: 'waiting' | 'running' | 'ready' | 'failed' | 'expired'
    createdAt: Created
    attempts: Generated<number>
    contentId: string | null
    objects: Generated<number>
    total: number | null
    takenAt: Date | null
    size: number | null
    endedAt: Date | null
    expiresAt: Date | null
    downloadHash: Buffer | null
    downloadSession: string | null
    downloadBegunAt: Date | null
  }
  delegations: {
    id: string
    tenantId: number
    delegatorId: number
    delegateeId: number
    options: Json<unknown>
    status: number
    createdAt: Created
    updatedAt: Date
  }
  directoryObjects: {
    id: number
    kind: 'group' | 'resource' | 'shared-folder'
    tenantId: number
    walletId: string
    domain: string
    email: string
    name: string
    sortName: Computed<string>
    searchText: Generated<string>
    status: number
    members: Generated<number>
    senderPolicy: Generated<string[]>
    invitationPolicy: Generated<'accept' | 'reject' | 'manual'>
    invitationOwnerId: number | null
    folderType: 'mail' | 'event' | 'contact' | 'task' | 'note' | 'file' | null
    hasLmtpAlias: Generated<boolean>
    revision: Generated<number>
    createdAt: Created
    updatedAt: Date
    deletedAt: Date | null
    membersMaySend: Generated<boolean>
  }
  discounts: {
    id: string
    tenantId: number
    code: string | null
    discount: number
    description: Json<unknown>
    active: boolean
    expiresAt: Date | null
    usageLimit: number | null
    usageCount: Generated<number>
  }
  dkimKeys: {
    domainId: number
    selector: string
    algorithm: 'rsa' | 'ed25519'
    publicKey: string
    privateKey: Buffer | null
    state: 'published' | 'active' | 'retiring' | 'retired'
    since: Date
    visibleSince: Date | null
    checkedAt: Date | null
  }
  domains: {
    id: number
    tenantId: number
    namespace: string
    status: number
    type: number
    walletId: string | null
    revision: Generated<number>
    createdAt: Created
    updatedAt: Date
    deletedAt: Date | null
    displayName: string
    token: string
    spfWhitelist: Generated<string[]>
    dnsFound: Json<unknown>
    dnsCheckedAt: Date | null
    nextCheckAt: Date | null
    watchedSince: Date | null
    missingSince: Date | null
    toldMissingAt: Date | null
    signupClosedAt: Date | null
    searchText: Computed<string>
  }
  entitlements: {
    id: string
    walletId: string
    skuId: string
    objectType: 'user' | 'domain' | 'group' | 'resource' | 'shared-folder' | 'room'
    objectId: number
    cost: number
    fee: number
    description: string | null
    createdAt: Created
    billedUntil: Date
    deletedAt: Date | null
    months: Generated<number>
    countedFrom: Date | null
  }
  eventLog: {
    id: string
    tenantId: number
    objectType: string
    objectId: number
    event: string
    actorId: number | null
    actorEmail: string | null
    ip: string | null
    comment: string | null
    data: JsonOrNull<unknown>
    createdAt: Created
    walletId: string | null
    staffId: number | null
    staffEmail: string | null
    times: Generated<number>
    lastAt: Date | null
    apiKey: string | null
    position: number | null
  }
  exchangeRates: {
    base: string
    currency: string
    day: string
    rate: string
  }
  folderAcl: {
    folderId: number
    userId: number
    right: 'read-only' | 'read-write' | 'full'
  }
  fsChunks: {
    id: string
    contentId: string
    state: 'writing' | 'stored' | 'dead'
    position: number
    size: Generated<number>
    keyId: string
    wrappedKey: Buffer
    createdAt: Created
  }
  fsContents: {
    id: string
    state: 'open' | 'complete' | 'doomed'
    size: Generated<number>
    sha256: Buffer | null
    mimetype: string
    scan: Generated<'off' | 'waiting' | 'clean' | 'infected'>
    createdAt: Created
    doomedAt: Date | null
    keptUntil: Date | null
  }
  fsItems: {
    id: string
    tenantId: number
    ownerId: number
    type: 'file' | 'collection'
    name: string
    sortName: Computed<string>
    versionId: string | null
    size: Generated<number>
    mimetype: string | null
    changedAt: Date
    createdBy: number | null
    createdAt: Created
    updatedAt: Date
    deletedAt: Date | null
    deletedBy: number | null
    deletionId: string | null
  }
  fsKeys: {
    id: string
    sealed: Buffer
    createdAt: Created
    retiredAt: Date | null
  }
  fsLinks: {
    id: string
    itemId: string
    tokenHash: Buffer
    passwordHash: string | null
    expiresAt: Date | null
    maxDownloads: number | null
    downloads: Generated<number>
    createdBy: number | null
    createdAt: Created
    lastUsedAt: Date | null
  }
  fsProperties: {
    itemId: string
    key: string
    value: string
  }
  fsRelations: {
    parentId: string
    childId: string
  }
  fsShares: {
    id: string
    itemId: string
    address: string
    rights: 'read-only' | 'read-write'
    createdBy: number | null
    createdAt: Created
  }
  fsThumbnails: {
    contentId: string
    side: number
    keyId: string | null
    sealed: Buffer | null
    createdAt: Created
  }
  fsTickets: {
    hash: Buffer
    kind: 'download' | 'preview' | 'visit'
    userId: number | null
    sessionId: string | null
    linkId: string | null
    itemIds: Generated<string[]>
    versionId: string | null
    name: string
    expiresAt: Date
    begunAt: Date | null
    begunIp: string | null
    createdAt: Created
  }
  fsUploads: {
    id: string
    secretHash: Buffer
    userId: number
    sessionId: string | null
    ownerId: number
    tenantId: number
    contentId: string
    itemId: string | null
    parents: Generated<string[]>
    name: string
    facts: Json<unknown>
    size: number | null
    received: Generated<number>
    epoch: Generated<number>
    createdAt: Created
    expiresAt: Date
    finishedItemId: string | null
  }
  fsUsage: {
    userId: number
    bytes: Generated<number>
  }
  fsVersions: {
    id: string
    itemId: string
    contentId: string
    ownerId: number
    number: number
    size: number
    changedAt: Date
    createdBy: number | null
    createdAt: Created
    replacedAt: Date | null
  }
  greylistCodeSenders: {
    senderDomain: string
    since: Date
    lastSeen: Date
  }
  greylistContacts: {
    recipientKind: 'user' | 'group' | 'resource' | 'shared-folder'
    recipientId: number
    senderDomain: string
    senderLocal: string
    network: string
    firstSeen: Date
    lastSeen: Date
    attempts: number
    passedAt: Date | null
  }
  greylistReleases: {
    recipientKind: 'user' | 'group' | 'resource' | 'shared-folder'
    recipientId: number
    senderDomain: string
    senderLocal: string
    releasedAt: Date
  }
  greylistServers: {
    senderDomain: string
    network: string
    since: Date
    lastSeen: Date
  }
  groupMembers: {
    groupId: number
    address: string
    withdrawnAt: Date | null
  }
  heldMessages: {
    id: string
    userId: number | null
    walletId: string | null
    queueId: string | null
    messageId: string | null
    sender: string
    recipients: string[]
    recipientCount: number
    recipientsHash: string
    subject: string | null
    reason: string
    clientAddress: string | null
    heldAt: Date
    decision: 'release' | 'discard' | null
    decidedAt: Date | null
    decidedBy: number | null
    doneAt: Date | null
  }
  idempotencyKeys: {
    name: Buffer
    fingerprint: Buffer
    answer: Buffer | null
    createdAt: Created
    seed: Generated<string>
    holder: string | null
    leasedUntil: Generated<Date>
    acted: Generated<boolean>
  }
  impersonations: {
    id: string
    staffId: number
    userId: number
    reason: string
    codeHash: Buffer | null
    codeExpiresAt: Date
    endsAt: Date
    createdAt: Created
  }
  installationFacts: {
    name: string
    value: string
  }
  installationKeys: {
    n: Computed<number>
    sealed: Buffer | null
    isCurrent: boolean
    createdAt: Generated<Date>
  }
  jobPools: {
    poolId: string
    holder: number
  }
  ledgerEntries: {
    id: string
    walletId: string
    number: number
    type: 'award' | 'credit' | 'debit' | 'penalty' | 'refund' | 'chback'
    amount: number
    balance: number
    currency: string
    account: 'revenue' | 'commissions' | 'payments' | 'awards' | 'penalties' | 'openings' | 'forfeits'
    key: string
    description: string
    parameters: string
    actorId: number | null
    actorEmail: string | null
    createdAt: Created
    hash: Buffer
  }
  ledgerPostings: {
    entryId: string
    account: string
    walletId: string | null
    tenantId: number
    amount: number
  }
  mailAllowedSenders: {
    userId: number
    entry: string
    createdAt: Created
  }
  mailCorrespondents: {
    userId: number
    address: string
    since: Date
    lastSeen: Date
  }
  mailDecisions: {
    id: string
    decidedAt: Date
    policy:
      | 'greylist'
      | 'sender'
      | 'submission'
      | 'rate'
      | 'list'
      | 'external'
      | 'invitation'
      | 'booking'
      | 'server'
    reason: string
    direction: 'in' | 'out'
    walletId: string | null
    objectKind: string | null
    objectId: number | null
    sender: string
    recipient: string | null
    clientAddress: string | null
    queueId: string | null
    messageId: string | null
    facts: Json<unknown>
  }
  mailFilters: {
    userId: number
    rules: Json<unknown>
    outOfOffice: Json<unknown>
    version: Generated<number>
    isPending: boolean
    replacesOther: boolean
    scriptHash: string | null
    uploadedAt: Date | null
    otherScript: string | null
    problem: string | null
    updatedAt: Date
  }
  mailImportFolders: {
    importId: string
    n: number
    name: string
    path: string
    target: string
    validity: number | null
    lastUid: Generated<number>
    targetValidity: number | null
    targetUid: Generated<number>
    knownBelow: Generated<number>
    messages: Generated<number>
    copied: Generated<number>
    copiedBytes: Generated<number>
    existing: Generated<number>
    skipped: Generated<number>
    isDone: Generated<boolean>
  }
  mailImportSkips: {
    importId: string
    n: number
    uid: number
    bytes: number | null
    reason: string
    answer: string | null
  }
  mailImports: {
    id: string
    userId: number
    host: string
    port: number
    security: 'tls' | 'starttls'
    login: string
    password: Buffer | null
    state: 'waiting' | 'running' | 'done' | 'cancelled' | 'failed'
    problem: string | null
    answer: string | null
    failures: Generated<number>
    rate: Generated<number>
    createdAt: Created
    endedAt: Date | null
    expiresAt: Date
  }
  mailLog: {
    id: string
    name: string
    subject: string
    recipients: string[]
    outcome: 'sent' | 'failed'
    error: string | null
    userId: number | null
    createdAt: Created
  }
  mailLogPositions: {
    name: string
    inode: string
    position: number
    beginning: string
    updatedAt: Date
  }
  mailLogSteps: {
    id: string
    loggedAt: Date
    server: string
    queueId: string
    event:
      | 'received'
      | 'message-id'
      | 'queued'
      | 'sent'
      | 'deferred'
      | 'bounced'
      | 'expired'
      | 'notified'
      | 'held'
      | 'released'
      | 'removed'
    clientAddress: string | null
    sender: string | null
    recipient: string | null
    originalRecipient: string | null
    messageId: string | null
    size: number | null
    relay: string | null
    status: string | null
    response: string | null
    nextQueueId: string | null
  }
  mailPasses: {
    userId: number
    ip: string
    isConfirmed: boolean
    passedAt: Date
  }
  mailboxUsage: {
    userId: number
    used: number
    measuredAt: Date
    quota: number | null
  }
  mandateSetups: {
    paymentId: string
    walletId: string
    amount: number
    threshold: number
    isWithdrawn: Generated<boolean>
  }
  meetingBlocks: {
    meetingId: string
    kind: 'user' | 'browser' | 'address'
    value: string
  }
  meetingHosts: {
    id: Computed<number>
    url: string
    startedAt: Date
  }
  meetingKnocks: {
    meetingId: string
    requestId: string
    nickname: string
    picture: string
    status: 'pending' | 'accepted' | 'denied'
    createdAt: Created
    seenAt: Date
    decidedAt: Date | null
  }
  meetingMessages: {
    meetingId: string
    n: number
    peerId: string
    nickname: string
    isVerified: boolean
    message: string
    sentAt: Date
  }
  meetingPeers: {
    id: string
    meetingId: string
    userId: number | null
    requestId: string | null
    address: string
    nickname: string
    ownName: string | null
    role: number
    language: string | null
    raisedAt: Date | null
    muted: Generated<string[]>
    createdAt: Created
    joinedAt: Date | null
    leftAt: Date | null
    leftReason: string | null
  }
  meetings: {
    id: string
    roomId: number
    hostId: number | null
    createdAt: Created
    endedAt: Date | null
    endReason: string | null
  }
  oauthClients: {
    id: string
    name: string
    secretHash: Buffer | null
    redirectUris: string[]
    postLogoutRedirectUris: string[]
    scopes: string[]
    grants: string[]
    idTokenAlg: 'RS256' | 'ES256'
    builtIn: string | null
    disabledAt: Date | null
    createdAt: Created
    updatedAt: Date
    requirePkce: boolean
  }
  oauthConsents: {
    userId: number
    clientId: string
    scopes: string[]
    createdAt: Created
    approvedAt: Date
  }
  oauthKeys: {
    kid: string
    alg: 'RS256' | 'ES256'
    sealed: Buffer
    createdAt: Created
    retiredAt: Date | null
    expiresAt: Date | null
    signsFrom: Date
  }
  oauthLiveGrants: {
    idHash: Buffer | null
    handle: string | null
    userId: number | null
    clientId: string | null
    expiresAt: Date | null
    actorId: number | null
    actorEmail: string | null
  }
  oauthRecords: {
    model: string
    idHash: Buffer
    handle: string
    grantHash: Buffer | null
    userCodeHash: Buffer | null
    userId: number | null
    clientId: string | null
    payload: Json<unknown>
    consumedAt: Date | null
    expiresAt: Date
    createdAt: Created
    actorId: number | null
    sessionId: string | null
  }
  oneOffRequests: {
    id: string
    tenantId: number
    walletId: string
    amount: number
    currency: string
    description: string
    requestedBy: number
    requesterEmail: string
    requesterRole: 'admin' | 'reseller'
    requesterTenantId: number
    state: Generated<'pending' | 'approved' | 'refused' | 'withdrawn'>
    decidedBy: number | null
    deciderEmail: string | null
    comment: string | null
    createdAt: Created
    expiresAt: Date
    decidedAt: Date | null
  }
  packageSkus: {
    packageId: string
    skuId: string
    qty: number
    cost: number | null
  }
  packages: {
    id: string
    tenantId: number
    title: string
    name: Json<unknown>
    description: Json<unknown>
    discountRate: number
    revision: Generated<number>
  }
  passkeyChallenges: {
    id: string
    challenge: string
    purpose: 'register' | 'login' | 'alone' | 'reset' | 'step-up'
    userId: number | null
    sessionId: string | null
    ip: string
    expiresAt: Date
  }
  passkeys: {
    id: string
    userId: number
    credentialId: Buffer
    publicKey: Buffer
    counter: number
    transports: string[]
    name: string
    isBackedUp: boolean
    createdAt: Created
    lastUsedAt: Date | null
  }
  passwordHistory: {
    id: string
    userId: number
    passwordHash: string
    createdAt: Created
  }
  paymentAlarms: {
    id: string
    provider: string
    providerId: string
    kind: string
    paymentId: string | null
    facts: Json<unknown>
    createdAt: Created
  }
  paymentCustomers: {
    walletId: string
    provider: string
    id: string
    createdAt: Created
  }
  payments: {
    id: string
    walletId: string
    type: 'oneoff' | 'recurring' | 'mandate' | 'refund' | 'chargeback'
    status: 'open' | 'pending' | 'authorized' | 'paid' | 'canceled' | 'expired' | 'failed'
    provider: string
    amount: number
    creditAmount: number
    currency: string
    currencyAmount: number
    vatRateId: string | null
    description: Generated<string>
    refundOf: string | null
    receiptId: string | null
    createdAt: Created
    updatedAt: Date
    paidAt: Date | null
    providerId: string | null
    method: Generated<string>
    methodText: string | null
    checkoutUrl: string | null
    isCancelable: Generated<boolean>
    changes: Generated<number>
    nextLookAt: Date | null
    looks: Generated<number>
  }
  planPackages: {
    planId: string
    packageId: string
    qty: Generated<number>
    qtyMin: Generated<number>
    qtyMax: Generated<number>
  }
  plans: {
    id: string
    tenantId: number
    title: string
    name: Json<unknown>
    description: Json<unknown>
    mode: 'email' | 'token' | 'mandate'
    months: number
    freeMonths: number
    hidden: boolean
    revision: Generated<number>
    position: Generated<number>
  }
  priceChangeSteps: {
    changeId: string
    fromCost: number
    cost: number
  }
  priceChangeUnits: {
    entitlementId: string
    changeId: string
    since: Date
    oldCost: number
    oldFee: number
    cost: number
    fee: number
    foldedAt: Date | null
  }
  priceChangeWallets: {
    changeId: string
    walletId: string
    since: Date
    units: number
    prices: Json<unknown>
    before: number
    after: number
    toldAt: Date | null
    appliedAt: Date | null
    cancelToldAt: Date | null
  }
  priceChanges: {
    id: string
    tenantId: number
    skuId: string
    oldCost: number
    cost: number
    oldFee: number
    fee: number
    months: number
    currency: string
    newSubscriptions: 'at-once' | 'same-date'
    effectiveAt: Date
    noticeDays: number
    reason: Json<unknown>
    state: Generated<'scheduled' | 'announced' | 'applied' | 'cancelled'>
    wallets: Generated<number>
    units: Generated<number>
    told: Generated<number>
    applied: Generated<number>
    before: Generated<number>
    after: Generated<number>
    createdBy: number | null
    creatorEmail: string | null
    createdAt: Created
    announcedAt: Date | null
    appliedAt: Date | null
    cancelledAt: Date | null
    cancellerEmail: string | null
    cancelToldAt: Date | null
  }
  provisioning: {
    kind: 'user' | 'domain' | 'group' | 'resource' | 'shared-folder'
    objectId: number
    step: string
    state: 'waiting' | 'running' | 'failed' | 'done'
    revision: Generated<number>
    attempts: Generated<number>
    error: string | null
    waitsFor: string | null
    toldAt: Date | null
    triedAt: Date | null
  }
  provisioningNames: {
    name: string
    kind: string
    objectId: number
  }
  publicDomainClaims: {
    tenantId: number
    namespace: string
    claimedAt: Date
    checkedAt: Date | null
    failure: 'absent' | 'different' | 'alias' | 'unreachable' | null
  }
  rateExemptions: {
    id: string
    userId: number | null
    domainId: number | null
    createdAt: Created
  }
  receiptNumbers: {
    tenantId: number
    series: string
    last: number
  }
  receipts: {
    id: string
    tenantId: number
    walletId: string
    kind: 'receipt' | 'credit-note'
    number: string
    period: string
    currency: string
    amount: number
    facts: Json<unknown>
    issuedAt: Date
  }
  recoveryCodes: {
    userId: number
    hash: Buffer
    createdAt: Created
    usedAt: Date | null
  }
  referralCodes: {
    code: string
    userId: number
    programId: string
    createdAt: Created
  }
  referralPrograms: {
    id: string
    tenantId: number
    active: boolean
    name: Json<unknown>
    description: Json<unknown>
    awardAmount: Generated<number>
    paymentsThreshold: Generated<number>
    discountId: string | null
    createdAt: Created
    updatedAt: Date
    revision: Generated<number>
  }
  referrals: {
    id: string
    code: string
    userId: number
    createdAt: Created
    redeemedAt: Date | null
    takebacks: Generated<number>
  }
  refreshTokens: {
    hash: Buffer
    sessionId: string
    scopes: string[]
    expiresAt: Date
    usedAt: Date | null
    successor: Buffer | null
  }
  roomPermissions: {
    id: string
    roomId: number
    userId: number | null
    rights: number
    createdAt: Created
    address: string
  }
  rooms: {
    id: number
    name: string
    description: string | null
    tenantId: number
    walletId: string
    password: Buffer | null
    locked: Generated<boolean>
    nomedia: Generated<boolean>
    createdAt: Created
    updatedAt: Date
    deletedAt: Date | null
    searchText: Computed<string>
  }
  sandboxMandates: {
    id: string
    method: string
    methodText: string
    outcome: 'paid' | 'failed' | 'pending'
    revokedAt: Date | null
    createdAt: Created
  }
  sandboxPayments: {
    id: string
    paymentId: string
    tokenHash: Buffer
    kind: 'payment' | 'mandate' | 'charge'
    method: string
    status: 'open' | 'pending' | 'authorized' | 'paid' | 'canceled' | 'expired' | 'failed'
    amount: number
    currency: string
    description: string
    payer: string
    returnUrl: string
    language: string
    mandateId: string | null
    methodText: string | null
    createdAt: Created
    paidAt: Date | null
  }
  sandboxReversals: {
    id: string
    paymentId: string
    type: 'refund' | 'chargeback'
    amount: number
    createdAt: Created
  }
  scimGroups: {
    groupId: number
    walletId: string
    externalId: string | null
  }
  scimUsers: {
    userId: number
    walletId: string
    externalId: string | null
    managerId: number | null
  }
  secondFactors: {
    id: string
    userId: number
    kind: 'totp'
    label: string
    secret: Buffer
    algorithm: 'SHA1' | 'SHA256' | 'SHA512'
    digits: number
    period: number
    active: boolean
    lastStep: number | null
    createdAt: Created
    lastUsedAt: Date | null
    expiresAt: Date | null
  }
  sendAttempts: {
    id: string
    userId: number
    queueId: string | null
    messageId: string | null
    recipientsHash: string
    recipients: number
    wasAccepted: boolean
    attemptedAt: Date
  }
  sendingDays: {
    userId: number
    day: string
    busiestHourRecipients: number
    busiestMinuteMessages: number
  }
  sendingPlaces: {
    userId: number
    network: string
    country: string | null
    lastOn: string
  }
  sentRecipients: {
    userId: number
    recipient: Buffer
    lastOn: string
  }
  sessionEnds: {
    userId: number
    endedAt: Date
  }
  sessions: {
    id: string
    userId: number
    ip: string
    userAgent: string
    createdAt: Created
    lastUsedAt: Date
    revokedAt: Date | null
    revokedReason: string | null
    endsAt: Date | null
    impersonationId: string | null
    authenticatedAt: Date | null
    companionId: string | null
    lastIp: string | null
  }
  signInDevices: {
    userId: number
    device: Buffer
    seenAt: Date
  }
  signInPrompts: {
    id: string
    attemptId: string
    userId: number
    service: string
    userAgent: string
    number: string | null
    secretHash: Buffer | null
    passwordMark: Buffer | null
    status: 'WAITING' | 'ACCEPTED' | 'DENIED' | 'USED' | 'DROPPED' | 'EXPIRED'
    createdAt: Created
    expiresAt: Date
  }
  signupCodes: {
    id: string
    codeHash: Buffer
    tenantId: number
    planId: string
    email: string | null
    firstName: string | null
    lastName: string | null
    voucher: string | null
    referral: string | null
    language: string
    ip: string
    verifyIp: string | null
    submitIp: string | null
    userAgent: string
    attempts: Generated<number>
    userId: number | null
    createdAt: Created
    expiresAt: Date
    usedAt: Date | null
    token: string | null
  }
  signupInvitations: {
    id: string
    tenantId: number
    email: string
    status: number
    userId: number | null
    createdAt: Created
    updatedAt: Date
    expiresAt: Date
    error: string | null
    firstName: string | null
    lastName: string | null
  }
  signupTokens: {
    token: string
    planId: string
    counter: Generated<number>
    usageLimit: number | null
    expiresAt: Date | null
    createdAt: Created
    tenantId: number
    revokedAt: Date | null
  }
  skus: {
    id: string
    tenantId: number
    title: string
    name: Json<unknown>
    description: Json<unknown>
    cost: number
    fee: number
    unitsFree: number
    period: 'monthly' | 'yearly'
    handler: string
    active: boolean
    revision: Generated<number>
  }
  tenantLimits: {
    tenantId: number
    kind:
      | 'users'
      | 'storage'
      | 'spend'
      | 'plan-modes'
      | 'free-months'
      | 'package-discount'
      | 'below-fee'
      | 'public-domains'
      | 'signup-tokens'
      | 'referral-award'
    value: number
  }
  tenantNames: {
    tenantId: number
    name: string
    isHost: boolean
    claimedAt: Date
    checkedAt: Date | null
    failure: 'absent' | 'different' | 'alias' | 'unreachable' | 'reserved' | null
    confirmedAt: Date | null
    confirmedBy: 'dns' | 'staff' | null
  }
  tenants: {
    id: number
    title: string
    settings: Json<unknown>
    createdAt: Generated<Date>
    walletId: string | null
    proofToken: Generated<string>
  }
  throttles: {
    kind: string
    subject: Buffer
    failures: number
    blockedUntil: Date | null
    updatedAt: Date
    pending: Generated<number>
    reservedAt: Date | null
  }
  userSending: {
    userId: number
    minutes: Json<unknown>
    hours: Json<unknown>
    strangers: Json<unknown>
    rejections: Json<unknown>
    warned: Json<unknown>
    confirmedUntil: Date | null
  }
  userSettings: {
    userId: number
    key: string
    value: string
  }
  users: {
    id: number
    tenantId: number
    email: string
    passwordHash: string | null
    role: 'admin' | 'reseller' | 'service' | null
    status: number
    language: string | null
    walletId: string | null
    revision: Generated<number>
    createdAt: Created
    updatedAt: Date
    deletedAt: Date | null
    sortName: Generated<string>
    searchText: Generated<string>
    forgottenAt: Date | null
  }
  vatRates: {
    id: string
    country: string
    startsOn: string
    rate: number
  }
  verificationCodes: {
    id: string
    codeHash: Buffer
    mode: 'password-reset'
    userId: number | null
    creatorId: number | null
    active: boolean
    attempts: Generated<number>
    createdAt: Created
    expiresAt: Date
    usedAt: Date | null
  }
  walletAlerts: {
    walletId: string
    threshold: number
    alertedAt: Date | null
    resolvedAt: Date | null
    lastAlertAt: Date | null
  }
  walletCharging: {
    walletId: string
    dueAt: Date | null
  }
  walletControllers: {
    walletId: string
    userId: number
  }
  walletDebts: {
    walletId: string
    negativeSince: Date
    initialAt: Date | null
    reminderAt: Date | null
    degradeAt: Date | null
    degradedReminderAt: Date | null
    warningAt: Date | null
  }
  walletMandates: {
    walletId: string
    amount: number
    threshold: number
    provider: string | null
    providerId: string | null
    customerId: string | null
    method: string | null
    methodId: string | null
    status: 'valid' | 'pending' | 'invalid' | null
    readAt: Date | null
    disabledAt: Date | null
    disabledReason: 'failed' | 'invalid' | 'too-small' | 'revoked' | 'staff' | null
    updatedAt: Date
  }
  walletSettings: {
    walletId: string
    key: string
    value: string
  }
  wallets: {
    id: string
    userId: number
    currency: string
    balance: Generated<number>
    description: string | null
    discountId: string | null
    revision: Generated<number>
    createdAt: Created
  }
  webhookDeliveries: {
    id: string
    webhookId: string
    eventId: string
    type: string
    objectKey: string
    position: number
    state: 'pending' | 'delivered' | 'failed'
    attempts: number
    nextAt: Date
    lease: string | null
    leasedUntil: Date | null
    createdAt: Created
    attemptedAt: Date | null
    status: number | null
    error: string | null
    durationMs: number | null
    answer: string | null
  }
  webhooks: {
    id: string
    walletId: string
    createdBy: number | null
    name: string
    url: string
    types: string[]
    secret: Buffer
    previousSecret: Buffer | null
    previousUntil: Date | null
    createdAt: Created
    pausedAt: Date | null
    pauseReason: 'owner' | 'failing' | 'gone' | 'operator' | null
    failingSince: Date | null
    position: number
    since: Date
  }
}
