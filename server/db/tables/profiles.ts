import type { ColumnType, Generated } from 'kysely'

export type ProfileLink = { _id: string; text: string; link: string }

/** How people present themselves and whom they follow. Owned by the profiles domain. */
export type ProfilesTables = {
  profiles: {
    user_id: string
    bio: Generated<string>
    menu: Generated<string>
    limits: Generated<string>
    links: ColumnType<ProfileLink[], string | undefined, string>
    profile_image: string | null
    profile_hero_image: string | null
    /** Pictures that a fan bought carry that fan's name. */
    watermark: Generated<boolean>
  }
  follows: { follower_id: string; following_id: string; created_at: Date }
  blocks: { blocker_id: string; blocked_id: string; created_at: Date }
  /** Upper-case country code; an empty region is the whole country, else a state's full name. */
  geo_blocks: { creator_id: string; country: string; region: Generated<string> }
  /** A referral code whose commissions several people split equally. */
  shared_codes: {
    id: Generated<string>
    code: string
    title: string
    updated_by: string
    created_at: Date
    updated_at: Date
  }
  /** The one of the smallest place manages the code. */
  shared_code_participants: {
    code_id: string
    user_id: string
    place: number
    /** Null while they are only invited. */
    accepted_at: Date | null
  }
}
