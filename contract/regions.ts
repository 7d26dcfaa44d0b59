/** The regions that are restricted from the start (docs/product.md, Regions and age), all of the United States: the seed of the operator's editable list. */
export const RESTRICTED_REGIONS: readonly { code: string; name: string }[] = [
  { code: 'AL', name: 'Alabama' },
  { code: 'AZ', name: 'Arizona' },
  { code: 'AR', name: 'Arkansas' },
  { code: 'FL', name: 'Florida' },
  { code: 'GA', name: 'Georgia' },
  { code: 'ID', name: 'Idaho' },
  { code: 'IN', name: 'Indiana' },
  { code: 'KS', name: 'Kansas' },
  { code: 'KY', name: 'Kentucky' },
  { code: 'LA', name: 'Louisiana' },
  { code: 'MS', name: 'Mississippi' },
  { code: 'MO', name: 'Missouri' },
  { code: 'MT', name: 'Montana' },
  { code: 'NE', name: 'Nebraska' },
  { code: 'NC', name: 'North Carolina' },
  { code: 'ND', name: 'North Dakota' },
  { code: 'OK', name: 'Oklahoma' },
  { code: 'SC', name: 'South Carolina' },
  { code: 'SD', name: 'South Dakota' },
  { code: 'TN', name: 'Tennessee' },
  { code: 'TX', name: 'Texas' },
  { code: 'UT', name: 'Utah' },
  { code: 'VA', name: 'Virginia' },
  { code: 'WY', name: 'Wyoming' },
]

/** Pages that a restricted, unverified visitor may still open (docs/product.md, Regions and age); `/media/…` is matched by prefix. */
export const EXEMPT_PATHS: readonly string[] = [
  '/login',
  '/signup',
  '/restricted',
  '/removal',
  '/complaints',
  '/2257',
  '/privacy',
  '/refund-policy',
  '/cancellation-policy',
  '/terms-and-conditions',
  '/anti-trafficking',
  '/content-moderation',
  '/terms',
  '/contact',
  '/affiliates',
  '/reset',
  '/emailconfirmation',
  '/unsubscribe',
  '/agecheck',
  '/dashboard/privacy',
  '/dashboard/billing',
]
export const EXEMPT_PREFIXES: readonly string[] = ['/media/', '/resetconfirmed/']

/** True when the page may be shown to a restricted, unverified visitor. */
export function isExemptPath(path: string): boolean {
  return EXEMPT_PATHS.includes(path) || EXEMPT_PREFIXES.some((prefix) => path.startsWith(prefix))
}
