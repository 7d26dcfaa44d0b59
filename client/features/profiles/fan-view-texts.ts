/** A creator’s own profile as fans see it; apart from the other texts, as visitors never see it. */
export const fanViewTexts = {
  label: 'Fan view',
  about: 'This is how a fan who hasn’t bought anything sees your profile.',
  leave: 'Back to your view',
} as const
