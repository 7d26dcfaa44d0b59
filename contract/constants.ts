/** Numbers and lists that both sides need (docs/product.md, Limits and Media). */
export const PAGE_SIZE = 15
export const MAX_PAGE_SIZE = 60
/** Of transactions, which are small and sorted and searched as a whole. */
export const MAX_TRANSACTIONS_PAGE_SIZE = 300
/** The same for lists that are nothing but ids. */
export const IDS_PER_PAGE = 100
export const MAX_IDS_PER_PAGE = 500
export const MAX_SKIP = 10_000
export const MIN_PASSWORD_LENGTH = 8
/** Files that are taken, by the ends of their names; animated pictures become short videos. */
export const UPLOAD_EXTENSIONS = [
  ...(['png', 'jpg', 'jpeg', 'webp', 'mp4', 'mov'] as const),
  ...(['heic', 'heif', 'avif', 'gif', 'tif', 'tiff', 'bmp'] as const),
] as const
export const MAX_FILES_PER_UPLOAD_CALL = 100
/** Largest file in bytes unless the setting says otherwise (docs/product.md, Media). */
export const MAX_FILE_BYTES = 5 * 1024 ** 3
/** The most bytes that one person's finished media may take up, unless the setting says otherwise. */
export const MAX_LIBRARY_BYTES = 200_000_000_000
/** How many followers are counted one by one; of more a profile says only that there are more. */
export const MAX_FOLLOWERS_COUNTED = 10_000
/** Links that one profile may carry. */
export const MAX_PROFILE_LINKS = 10
/** The day of the terms that people agree to now; kept with each order. */
export const TERMS_VERSION = '2026-11-29'
/** How many cards a person may save, which is as many as the gateway keeps of one customer. */
export const MAX_CARDS = 10
export const DEFAULT_PRICE = '$4'
/** Ways the two local referral keys and the query parameters are called (docs/product.md, Referrals). */
export const REFERRAL_PARAMETERS = { user: 'ref', shared: 'rid' } as const
/** People who share one referral code, and codes that one person takes part in. */
export const MAX_SHARED_CODE_PARTICIPANTS = 20
export const MAX_SHARED_CODES = 50
/** Of one person, before they accept or decline some. */
export const MAX_SHARED_CODE_INVITATIONS = 20
/** Bytes of one chunk of a chunked upload (docs/product.md, Limits), and how many a file of the largest size has. */
export const CHUNK_BYTES = 1_048_576
export const MAX_CHUNKS = Math.ceil(MAX_FILE_BYTES / CHUNK_BYTES)
/** Items that one bulk call may name. */
export const MAX_MEDIA_PER_BULK_CALL = 200
/** Items of the own library that can be selected together, and that a subscription or a bundle holds. */
export const MAX_MEDIA_SELECTED = 2000
export const MAX_TAGS_PER_ITEM = 20
/** Letters of a title. */
export const MAX_TITLE_LENGTH = 120
/** Letters of what a subscription or a bundle says of itself. */
export const MAX_OFFER_DESCRIPTION_LENGTH = 500
/** How long a deleted item can be taken back. */
export const DELETED_MEDIA_KEPT_DAYS = 30
/** Tag chips suggested beside discover (docs/product.md, Limits). */
export const MAX_SUGGESTED_TAGS = 15
/** People depicted in one item. */
export const MAX_PERFORMERS = 20
export const MAX_VIDEO_SECONDS = 86_400

/** The smallest and the largest tip, in cents. */
export const MIN_TIP_CENTS = 100
export const MAX_TIP_CENTS = 50_000
/** How long a custom request may be, and the letters that it is told in. */
export const MAX_CUSTOM_MINUTES = 120
export const MAX_CUSTOM_MESSAGE_LENGTH = 2000
/** The most that a custom request costs altogether, in cents, and the days that its creator has to deliver it. */
export const MAX_CUSTOM_PRICE_CENTS = 1_000_000
export const MAX_DELIVERY_DAYS = 28
export const DEFAULT_DELIVERY_DAYS = 7
/** Requests of one fan to one creator that are neither declined nor paid. */
export const MAX_OPEN_CUSTOM_REQUESTS = 5
/** Messages of a conversation that come at once. */
export const MESSAGES_PER_PAGE = 40
export const MAX_MESSAGES_PER_PAGE = 100
/** Notifications that one call marks as read. */
export const MAX_NOTIFICATIONS_PER_CALL = 200
/** Letters of one message. */
export const MAX_MESSAGE_LENGTH = 5000
export const MAX_ATTACHMENTS = 20
/** Messages that somebody may write to a person who never answered and has never dealt with them. */
export const MAX_UNANSWERED = 20
/** How long a sent message can be edited and deleted, in hours. */
export const MESSAGE_CHANGEABLE_HOURS = 24
/** How often a sent message can be edited; what it said before each edit is kept for reviewers. */
export const MAX_MESSAGE_EDITS = 20
/** How long a message that its sender deleted can still be reported, in days. */
export const DELETED_MESSAGE_KEPT_DAYS = 7
/** Why a mass message doesn't reach all whom it was for. */
export const MASS_FAILURES = [
  'attachment_unavailable',
  'attachment_is_free',
  'price_too_low',
  'publishing_closed',
  'fan_list_not_found',
  'no_recipients',
  // Said earlier of both that follow, without a difference.
  'creators_only',
  'account_suspended',
  'creator_suspended',
  'creator_leaving',
] as const
export type MassFailure = (typeof MASS_FAILURES)[number]

/** The reactions to a message that take one tap. */
export const REACTIONS = ['❤️', '👍', '😂', '😮', '😢', '🔥', '👏', '🙏'] as const

/** Letters of a creator's note on a fan, and how many lists of fans a creator has. */
export const MAX_NOTE_LENGTH = 2000
export const MAX_FAN_LISTS = 100
/** Mass messages that a creator makes within a day. */
export const MASS_MESSAGES_A_DAY = 10

/** In which header each answer names the client that the server serves: the address of its first script. */
export const BUILD_HEADER = 'x-client-build'

/** Where Socket.IO answers, and how its client behaves (docs/product.md, Chat). */
export const SOCKET_PATH = '/socket.io'
export const SOCKET_CLIENT = {
  timeout: 20_000,
  reconnectionDelay: 1_000,
  reconnectionDelayMax: 5_000,
  randomizationFactor: 0.5,
  reconnectionAttempts: Number.POSITIVE_INFINITY,
} as const
