/** The places of a creator’s work. */
export const sectionsTexts = {
  label: 'Your work',
  home: 'Home',
  library: 'Library',
  shop: 'Shop',
  earnings: 'Earnings',
} as const
