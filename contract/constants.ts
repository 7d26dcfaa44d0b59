/** Numbers and lists that both sides need (core §9, promotion-tools §9, decisions §4). */
export const PAGE_SIZE = 15
export const MAX_PAGE_SIZE = 60
export const MAX_SKIP = 10_000
export const MIN_PASSWORD_LENGTH = 8
export const UPLOAD_EXTENSIONS = ['png', 'jpg', 'jpeg', 'webp', 'mp4', 'mov'] as const
export const MAX_FILES_PER_UPLOAD_CALL = 100
/** Largest file in bytes unless the setting says otherwise (decisions §4). */
export const MAX_FILE_BYTES = 5 * 1024 ** 3
/** Links that one profile may carry. */
export const MAX_PROFILE_LINKS = 10
export const DEFAULT_PRICE = '$4'
/** Ways the two local referral keys and the query parameters are called (core §9). */
export const REFERRAL_PARAMETERS = { user: 'ref', shared: 'rid' } as const
