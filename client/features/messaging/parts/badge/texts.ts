import { formatNumber } from '../../../../ui/format.ts'

/** Read out beside the badge of unread conversations. */
export const badgeTexts = { unread: (count: number) => `, ${formatNumber(count)} unread` } as const
