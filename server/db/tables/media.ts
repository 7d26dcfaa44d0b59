import type { Generated, JSONColumnType } from 'kysely'

/** One stored rendition: `name` below the item's storage prefix `media/<id>/`. */
export type StoredVariant = { name: string; mime: string; width: number; height: number; bytes: number }

/** Uploads, media items and who may see them. Owned by the media domain. */
export type MediaTables = {
  uploads: {
    id: Generated<string>
    owner_id: string
    file_name: string
    status: 'awaiting' | 'received' | 'processing' | 'ready' | 'failed'
    progress: Generated<number>
    refusal: string | null
    bytes: number | null
    sha256: string | null
    created_at: Date
    updated_at: Date
    expires_at: Date
  }
  media: {
    id: Generated<string>
    creator_id: string
    type: 'image' | 'video'
    red_gif: Generated<string>
    title: Generated<string>
    description: Generated<string>
    price_cents: Generated<number>
    duration_seconds: number | null
    width: number
    height: number
    thumbhash: string
    variants: JSONColumnType<StoredVariant[]>
    bytes: number
    sha256: string | null
    show_in_search: Generated<boolean>
    reddit_promotion: Generated<boolean>
    must_unlock: Generated<boolean>
    show_in_store: Generated<boolean>
    direct_only: Generated<boolean>
    created_at: Date
    deleted_at: Date | null
  }
  entitlements: {
    id: Generated<string>
    user_id: string
    kind: 'single' | 'bundle' | 'subscription'
    purchase_id: string | null
    subscription_id: string | null
    plan_id: string | null
    granted_at: Date
    valid_until: Date | null
    revoked_at: Date | null
  }
  entitlement_media: { user_id: string; media_id: string; entitlement_id: string; granted_at: Date }
}
