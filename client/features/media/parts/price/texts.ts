/** The seller's part of a price. */
export const shareTexts = {
  get: ({ share, per, feePercent }: { share: string; per?: 'month' | undefined; feePercent: number }) =>
    `You get ${share}${per ? ` a ${per}` : ''}. The fee is ${feePercent}%.`,
} as const
