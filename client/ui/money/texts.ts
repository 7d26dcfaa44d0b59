export const moneyTexts = {
  tooPrecise: 'Enter at most two decimals. For thousands, leave out the comma: 1250 instead of 1,250.',
} as const
