/** The bar at the end of a fan's phone. */
export const fanBarTexts = {
  label: 'Quick links',
  home: 'Home',
  browse: 'Browse',
  yourContent: 'Your Content',
  messages: 'Messages',
} as const
