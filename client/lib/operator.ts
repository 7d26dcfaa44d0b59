import { useConfig } from './config.ts'

/** The operator, as the pages name them. */
export type Operator = {
  /** The name of the site. */
  brand: string
  /** The person or company behind it. */
  operator: string
  /** Null until the settings arrive. */
  email: string | null
  /** The official account, with its `/u/`; null until the settings arrive. */
  forumAccount: string | null
  forum: string
  /** Postal address; null if there is none. */
  address: string | null
  /** Page on a social site; null if there is none. */
  socialUrl: string | null
}

/** The operator (`GET /api/config`). */
export function useOperator(): Operator {
  const config = useConfig()
  const brand = config?.brand.name ?? 'Fanfare'
  return {
    brand,
    operator: config?.brand.operator ?? brand,
    email: config?.brand.email ?? null,
    forumAccount: config ? `/u/${config.brand.forumAccount.replace(/^\/?u\//i, '')}` : null,
    forum: config?.forum.name ?? 'the forum',
    address: config?.brand.address ?? null,
    socialUrl: config?.brand.socialUrl ?? null,
  }
}
