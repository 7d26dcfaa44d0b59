import type { Generated, JSONColumnType } from 'kysely'
import type { TakedownGround } from '../../../contract/takedowns.ts'

/** One stored rendition: `name` below the item's storage prefix `media/<storage_id>/`. */
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
    kind: Generated<'signed' | 'chunked'>
    session_id: string | null
    total_chunks: number | null
    replaces_media_id: string | null
    reserved_bytes: number | null
    parts_begun: Generated<number>
    /** How often a whole file was started, and which of these is the file; null where it came in parts. */
    sendings: Generated<number>
    sending: number | null
    /** Of the version before, which may still run beside this one. */
    moving: Generated<boolean>
    line: Generated<'picture' | 'short_video' | 'long_video'>
    turn: Generated<number>
    attempts: Generated<number>
    not_before: Date | null
    started_at: Date | null
    finished_at: Date | null
    reason: string | null
    created_at: Date
    updated_at: Date
    expires_at: Date
  }
  upload_chunks: { upload_id: string; number: number; bytes: number }
  tags: {
    id: Generated<string>
    name: string
    created_by: string | null
    uses: Generated<number>
    created_at: Date
  }
  /** Written by a trigger on `media` alone. */
  media_tags: {
    media_id: string
    tag_id: string
    creator_id: string
    created_at: Date
    type: 'image' | 'video'
    popularity: Generated<string>
    discoverable: boolean
  }
  /** Creators who have published something. A trigger on `media` adds rows, and a job counts. */
  creator_popularity: { creator_id: string; fans: Generated<number> }
  /** How far the job that counts has come: one row. */
  popularity_run: { only_one: Generated<boolean>; counted_to: string | null }
  /** Written by triggers on `media` and `users`, and counted by a job. */
  search_words: { word: string; uses: Generated<number> }
  media_search: { media_id: string; creator_id: string; created_at: Date; document: string }
  creator_search: { creator_id: string; document: string }
  /** The frame that was last asked for as a video's poster. */
  posters: { media_id: string; label: string; status: 'preparing' | 'ready' | 'failed' }
  performers: { id: Generated<string>; creator_id: string; name: string; created_at: Date }
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
    /** Turned on by triggers, and never off again. */
    published: Generated<boolean>
    /** A decimal number as text, counted by a job. */
    popularity: Generated<string>
    /** A decimal number as text; the library stands in its order, highest first. */
    rank: Generated<string>
    /** The prefix `media/<storage_id>/` of its files. */
    storage_id: Generated<string>
    tag_ids: Generated<string[]>
    performer_ids: Generated<string[]>
    created_at: Date
    deleted_at: Date | null
    /** The account that deleted it; only its owner's own deletion can be undone. */
    deleted_by: string | null
    deletion_reason: Generated<string>
    purged_at: Date | null
    /** Its row in `media_versions`, and since when. */
    version_id: Generated<string>
    versioned_at: Generated<Date>
    /** Taken down by the operator: nobody gets any of its bytes. */
    quarantined_at: Date | null
    quarantined_by: string | null
    quarantine_reason: Generated<string>
    /** What its creator is told of why. */
    quarantine_ground: TakedownGround | null
    quarantine_note: Generated<string>
    /** Not everything of the file could be read; its owner is told. */
    damaged: Generated<boolean>
  }
  /** Every version of an item's file; the current one is a copy of the item's own columns, made by a trigger. */
  media_versions: {
    id: string
    media_id: string
    storage_id: string
    type: 'image' | 'video'
    red_gif: string
    duration_seconds: number | null
    width: number
    height: number
    thumbhash: string
    variants: JSONColumnType<StoredVariant[]>
    bytes: number
    sha256: string | null
    created_at: Date
    replaced_at: Date | null
    purged_at: Date | null
  }
  /** Files that outlive their item: of an erased creator, and taken down within the last year. */
  evidence_holds: { storage_id: string; media_id: string; keep_until: Date }
  /** Files that can't be uploaded again, by the item for which each was taken down. */
  blocked_files: { sha256: string; media_id: string; ground: string; blocked_at: Date }
  /**
   * When each person was first shown a locked item, and first on the last day that they were, or after their newest order on it;
   * from which network, and on how many days (UTC).
   */
  media_deliveries: {
    user_id: string
    media_id: string
    first_at: Date
    first_network: string | null
    last_at: Date
    last_network: string | null
    days: Generated<number>
  }
  /** Written by `domains/media/entitlements` alone. */
  entitlements: {
    id: Generated<string>
    user_id: string
    source_kind: 'purchase' | 'subscription' | 'manual' | 'offer' | 'message'
    source_id: string
    plan_id: string | null
    granted_at: Date
    valid_until: Date | null
    revoked_at: Date | null
    /** Taken back for as long as a dispute lasts. */
    restorable: Generated<boolean>
  }
  entitlement_media: {
    user_id: string
    media_id: string
    version_id: string
    entitlement_id: string
    granted_at: Date
    /** The item's creator, set by a trigger. */
    creator_id: Generated<string>
  }
  /** A view: what people have for good, by every grant that was not taken back. */
  unlocked_media: {
    user_id: string
    media_id: string
    version_id: string
    entitlement_id: string
    granted_at: Date
  }
}
