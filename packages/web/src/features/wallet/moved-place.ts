type Query = Readonly<Record<string, unknown>>

/** Tabs that are now parts of another one, by the name that links and bookmarks still have. */
const moved: Readonly<Record<string, { tab: string; part: string }>> = {
  forecast: { tab: 'costs', part: 'forecast' },
  pending: { tab: 'more', part: 'pending' },
  alerts: { tab: 'more', part: 'alerts' },
  referral: { tab: 'more', part: 'referral' },
  verify: { tab: 'more', part: 'verify' },
}

/** The query that leads to what an older link means; undefined: the link is up to date. */
export function movedPlace(query: Query): Query | undefined {
  const place = typeof query.tab === 'string' && Object.hasOwn(moved, query.tab) && moved[query.tab]
  return place ? { ...query, ...place } : undefined
}
